import type { ErrorCode, FileView, Transaction, TransactionInfo, Workspace } from "holdfast";
import { expect } from "vitest";
import { collect, refusalOf } from "./refusal.ts";
import { asRecord, callAsItStands, leading, readAll, type TransactionAction } from "./transaction-actions.ts";
import {
  equalFiles,
  type FileChange,
  fitTo,
  hasClash,
  type ModelFile,
  type ModelFiles,
  namedBy,
  predictFiles,
  spellFileChange,
  TransactionModel,
} from "./transaction-model.ts";

/** Where a sequence is run: a storage that can be opened again and again, and a way past it. */
export interface TransactionGround {
  open(): Promise<Workspace>;
  writeOutside(path: string, text: string | null): Promise<void>;
  remove(): Promise<void>;
}

interface Slot {
  readonly id: string;
  readonly model: TransactionModel;
  /** The name of the state at each point that was seen. */
  readonly names: Map<object, string>;
}

/** Runs one sequence on a ground and in the model. */
export class TransactionRun {
  readonly #ground: TransactionGround;
  readonly #handles: Workspace[];
  readonly #undoDepth: number;
  #live: ModelFiles = new Map();
  #slots: Slot[] = [];
  #commits: string[] = [];
  #keys = 0;

  private constructor(ground: TransactionGround, handles: Workspace[], undoDepth: number) {
    this.#ground = ground;
    this.#handles = handles;
    this.#undoDepth = undoDepth;
  }

  /** Begins with these files, those first that have others below. */
  static async begin(
    ground: TransactionGround,
    { texts, undoDepth }: { readonly texts: Readonly<Record<string, string>>; readonly undoDepth: number },
  ): Promise<TransactionRun> {
    const run = new TransactionRun(ground, [await ground.open(), await ground.open()], undoDepth);
    for (const [path, content] of Object.entries(texts))
      await run.#writeOutside({ kind: "create", path, content });
    await run.#fill();
    return run;
  }

  async end(): Promise<void> {
    for (const handle of this.#handles) await handle.close();
    await this.#ground.remove();
  }

  /** Makes one call and compares everything. */
  async take(action: TransactionAction): Promise<void> {
    switch (action.kind) {
      case "outside":
        await this.#writeOutside(action.change);
        break;
      case "apply":
        await this.#apply(action);
        break;
      case "revert":
        await this.#revert(action);
        break;
      case "reopen":
        await this.#handle(action.handle).close();
        this.#handles[action.handle] = await this.#ground.open();
        break;
      default:
        await this.#onTransaction(action);
    }
    await this.compare();
    await this.#fill();
  }

  /** Compares the workspace and both transactions with the model, through both handles. */
  async compare(): Promise<void> {
    for (const handle of this.#handles) {
      expect(asRecord(await readAll(handle))).toEqual(asRecord(this.#live));
      const made = (await collect(handle.history())).filter(({ cause }) => cause !== "external");
      expect(made.map(({ id }) => id)).toEqual([...this.#commits].reverse());
      for (const slot of this.#slots) await this.#compareOne(await handle.transactions.get(slot.id), slot);
    }
  }

  async #compareOne(transaction: Transaction, { id, model, names }: Slot): Promise<void> {
    const info = await transaction.info();
    model.notice(this.#live);
    if (model.mayRelyOnMore && info.state === "conflicted" && model.state === "active")
      model.state = "conflicted";
    const { cursor, squashed, points, undoDepth, state } = model;
    const isActive = state === "active";
    expect(info).toMatchObject({
      transactionId: id,
      state,
      revision: squashed + cursor,
      revisionCount: squashed + points.length - 1,
      remainingRevisions: Math.max(0, undoDepth - cursor),
      canMutate: isActive,
      canUndo: isActive && cursor > 0,
      canRedo: isActive && cursor < points.length - 1,
      canCommit: isActive && model.changedPaths.length > 0,
      canRollback: isActive || state === "conflicted",
      changedPaths: model.changedPaths,
    });
    expect((await transaction.diff()).files.length).toBeLessThanOrEqual(model.changedPaths.length);
    if (state === "conflicted") expect(info.conflictPaths?.length).toBeGreaterThan(0);
    this.#compareName(info, model, names);
    if (isActive) expect(asRecord(await readAll(transaction))).toEqual(asRecord(model.view(this.#live)));
    else expect((await refusalOf(transaction.read("a"))).code).toBe(refusing(model));
  }

  /** Each state has a name of its own, and undo and redo come back to it. */
  #compareName(
    { snapshot }: TransactionInfo,
    { points, cursor }: TransactionModel,
    names: Slot["names"],
  ): void {
    const point = points[cursor]?.pins as object;
    const known = names.get(point);
    if (known === undefined) expect([...names.values()]).not.toContain(snapshot.snapshotId);
    else expect(snapshot.snapshotId).toBe(known);
    names.set(point, snapshot.snapshotId);
  }

  #handle(index: number): Workspace {
    return this.#handles[index] as Workspace;
  }

  /** Begins transactions where one has ended, when its end has been compared. */
  async #fill(): Promise<void> {
    for (let index = 0; index < 2; index++) {
      const slot = this.#slots[index];
      if (slot !== undefined && slot.model.state !== "committed" && slot.model.state !== "rolledBack")
        continue;
      const transaction = await this.#handle(index).beginTransaction({ undoDepth: this.#undoDepth });
      this.#slots[index] = {
        id: transaction.id,
        model: new TransactionModel(this.#undoDepth),
        names: new Map(),
      };
    }
  }

  async #writeOutside(change: FileChange): Promise<void> {
    if (change.kind === "chmod") return;
    const fitting = fitTo(this.#live, change);
    const predicted = predictFiles(this.#live, fitting);
    if (!("files" in predicted)) return;
    for (const path of this.#live.keys())
      if (!predicted.files.has(path)) await this.#ground.writeOutside(path, null);
    const next = new Map<string, ModelFile>();
    for (const [path, { text }] of predicted.files) {
      const old = this.#live.get(path);
      next.set(path, { text, executable: old?.executable ?? false });
      if (old?.text !== text) await this.#ground.writeOutside(path, text);
    }
    this.#live = next;
  }

  async #spell(view: FileView, change: FileChange) {
    const stat = await view.stat(change.path, { revision: true });
    return spellFileChange(change, () => (stat?.kind === "file" ? stat.revision : undefined));
  }

  async #apply({ handle, change: meant }: TransactionAction & { readonly kind: "apply" }): Promise<void> {
    const change = fitTo(this.#live, meant);
    const workspace = this.#handle(handle);
    const predicted = predictFiles(this.#live, change);
    const spelled = await this.#spell(workspace, change);
    if ("refusals" in predicted) {
      expect(leading(predicted.refusals)).toContain((await refusalOf(workspace.apply(spelled))).code);
      return;
    }
    const result = await workspace.apply(spelled);
    if (!result.alreadyApplied) this.#commits.push(result.workspaceRevision);
    this.#live = predicted.files;
  }

  /** What a revert does is the matter of other laws; here it is somebody else's commit. */
  async #revert({ handle, back }: TransactionAction & { readonly kind: "revert" }): Promise<void> {
    const workspace = this.#handle(handle);
    const target = this.#commits.at(-1 - back);
    if (target === undefined) return;
    const before = asRecord(this.#live);
    const result = await workspace.revert(target);
    this.#live = await readAll(workspace);
    if (result.reverted) this.#commits.push(result.workspaceRevision);
    else expect(asRecord(this.#live)).toEqual(before);
  }

  async #onTransaction(
    action: Exclude<TransactionAction, { readonly kind: "outside" | "apply" | "revert" | "reopen" }>,
  ): Promise<void> {
    const slot = this.#slots[action.slot] as Slot;
    const { model } = slot;
    const transaction = await this.#handle(action.handle).transactions.get(slot.id);
    if (action.kind === "rollback") {
      const { state } = await transaction.rollback();
      expect(state).toBe("rolledBack");
      model.state = "rolledBack";
      expect((await transaction.rollback()).state).toBe("rolledBack");
      return;
    }
    if (action.kind === "rebase") return await this.#rebase(transaction, slot, action.answer);
    if (model.state === "conflicted") {
      const refusal = await refusalOf(callAsItStands(transaction, action));
      expect(refusal.code).toBe("TRANSACTION_CONFLICTED");
      return;
    }
    switch (action.kind) {
      case "stage":
        return await this.#stage(transaction, slot, action);
      case "undo":
      case "redo":
        if (model.move(action.kind === "undo" ? -action.steps : action.steps))
          await callAsItStands(transaction, action);
        else await expectUnavailable(callAsItStands(transaction, action));
        return;
      case "savepoint":
        await callAsItStands(transaction, action);
        return model.savepoint(action.label);
      case "undoTo":
        if (model.moveTo(action.label)) await callAsItStands(transaction, action);
        else await expectUnavailable(callAsItStands(transaction, action));
        return;
      case "discard":
        return await this.#discard(transaction, slot, action.paths);
      default:
        await this.#commit(transaction, slot);
    }
  }

  async #stage(
    transaction: Transaction,
    { id, model }: Slot,
    { change: meant, manner }: TransactionAction & { readonly kind: "stage" },
  ): Promise<void> {
    const view = model.view(this.#live);
    const change = fitTo(view, meant);
    const predicted = predictFiles(view, change);
    const spelled = await this.#spell(transaction, change);
    this.#keys += 1;
    const options = {
      dryRun: manner === "dry",
      ...(manner === "keyed" && { idempotencyKey: `${this.#keys}` }),
    };
    if ("refusals" in predicted) {
      const refusal = await refusalOf(transaction.apply(spelled, options));
      expect(leading(predicted.refusals)).toContain(refusal.code);
      expect(refusal.written).toBe("no");
      return;
    }
    const result = await transaction.apply(spelled, options);
    const isChanged = JSON.stringify(asRecord(view)) !== JSON.stringify(asRecord(predicted.files));
    expect(result).toMatchObject({ alreadyApplied: !isChanged, dryRun: manner === "dry" });
    expect(result.stagedIn).toBe(manner === "dry" ? undefined : id);
    if (manner === "dry") return;
    model.stage(view, predicted.files, namedBy(change), this.#live);
    if (manner !== "keyed" || !isChanged) return;
    const other = await this.#handle(0).transactions.get(id);
    expect(await other.apply(spelled, options)).toEqual({ ...result, idempotentReplay: true });
  }

  async #discard(transaction: Transaction, { model }: Slot, paths: readonly string[]): Promise<void> {
    const view = model.view(this.#live);
    const wants = (path: string) => paths.some((one) => path === one || path.startsWith(`${one}/`));
    const wanted = model.discarded(wants, this.#live) as ModelFiles;
    const answer = await transaction.discard({ paths }).catch((error: unknown) => error as Error);
    if (answer instanceof Error) {
      expect(answer).toMatchObject({ code: "ALREADY_EXISTS", written: "no" });
      return;
    }
    const after = await readAll(transaction);
    // A moved file takes the place that it left with it.
    for (const path of model.changedPaths)
      if (wants(path)) expect(after.get(path)).toEqual(wanted.get(path));
      else if (!equalFiles(after.get(path), view.get(path)))
        expect(after.get(path)).toEqual(model.points[model.cursor]?.pins.get(path));
    expect(hasClash(after)).toBe(false);
    model.stage(view, after, [], this.#live);
  }

  async #rebase(
    transaction: Transaction,
    { model }: Slot,
    answer: (TransactionAction & { readonly kind: "rebase" })["answer"],
  ): Promise<void> {
    const wasActive = model.state === "active";
    const predicted = model.rebased(this.#live);
    let info = await transaction.rebase();
    if (wasActive) return expect(info.state).toBe("active");
    const isDecided = predicted !== undefined && ![...predicted.values()].includes("either");
    if (isDecided) expect(info).toMatchObject({ state: "active" });
    if (info.state === "conflicted") {
      expect(info.conflicts?.length).toBeGreaterThan(0);
      if (answer === "none") return;
      const how =
        answer === "delete"
          ? { delete: true as const }
          : answer === "content"
            ? { content: "both\n" }
            : { take: answer };
      const resolutions = Object.fromEntries((info.conflicts ?? []).map(({ path }) => [path, how]));
      const before = JSON.stringify(info);
      const refused = await transaction.rebase({ resolutions }).then(
        (after) => {
          info = after;
          return undefined;
        },
        (error: unknown) => error as Error,
      );
      if (refused !== undefined) {
        expect(refused).toMatchObject({ code: "INVALID_ARGUMENT", written: "no" });
        expect(JSON.stringify(await transaction.info())).toBe(before);
        return;
      }
    }
    if (info.state === "conflicted") throw new Error(`Still in conflict: ${JSON.stringify(info.conflicts)}`);
    const state = (await transaction.info()).state;
    if (state !== "active")
      throw new Error(
        `In conflict again at once: ${JSON.stringify(info)} ${JSON.stringify(await transaction.info())}`,
      );
    const view = await readAll(transaction);
    const wanted = new Map(this.#live);
    for (const [path, file] of predicted ?? []) {
      const found = file === "either" ? view.get(path) : file;
      if (found === undefined) wanted.delete(path);
      else wanted.set(path, found);
    }
    if (predicted !== undefined) expect(asRecord(view)).toEqual(asRecord(wanted));
    expect(hasClash(view)).toBe(false);
    model.adopt(this.#live, view);
    model.mayRelyOnMore = predicted === undefined;
    expect(info.revision).toBe(model.cursor);
  }

  async #commit(transaction: Transaction, { model }: Slot): Promise<void> {
    const isChanged = model.changedPaths.length > 0;
    const result = await transaction.commit({ includeDiff: true });
    expect(result.committed).toBe(isChanged);
    if (!isChanged) return;
    this.#commits.push(result.workspaceRevision);
    this.#live = model.view(this.#live);
    model.state = "committed";
    expect((await refusalOf(transaction.rollback())).code).toBe("NO_ACTIVE_TRANSACTION");
  }
}

function refusing({ state }: TransactionModel): ErrorCode {
  return state === "conflicted" ? "TRANSACTION_CONFLICTED" : "NO_ACTIVE_TRANSACTION";
}

async function expectUnavailable(answer: Promise<unknown>): Promise<void> {
  expect((await refusalOf(answer)).code).toBe("TRANSACTION_HISTORY_UNAVAILABLE");
}
