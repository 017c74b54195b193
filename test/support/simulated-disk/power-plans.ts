import { applyWanted, type ModelTree, type PlanWanted } from "./plan-model.ts";

/** What happens to a disk, step by step. */
export type PlanStep =
  | {
      readonly do: "commit";
      readonly wanted: PlanWanted;
      /** Somebody changes the mode of a file between the reading for the commit and the commit, and does not flush it. */
      readonly chmod?: { readonly path: string; readonly mode: number };
    }
  /** A staged content grows by a text, by a commit that need not be durable. */
  | { readonly do: "append"; readonly to: string; readonly text: string; readonly flush: boolean }
  /** What is committed so far becomes durable, and the log history. */
  | { readonly do: "checkpoint" }
  /** ... and what is older than a commit is dropped, but for some contents. */
  | { readonly do: "prune"; readonly before: number; readonly keep?: readonly string[] }
  /** The process ends without a word, and another opens the storage. */
  | { readonly do: "restart" }
  /** One more process opens the storage while the others stay; it does the following steps. */
  | { readonly do: "join" }
  /** A process that has opened the storage before does the following steps; the first has number 0. */
  | { readonly do: "switch"; readonly handle: number }
  /** Somebody writes a file in place and does not flush it. */
  | { readonly do: "edit"; readonly path: string; readonly text: string };

/** A tree and what is done with it. */
export interface PowerPlan {
  readonly name: string;
  readonly initial: ModelTree;
  readonly steps: readonly PlanStep[];
  /** How the storage is opened. Default: `power`. */
  readonly durability?: "power" | "process";
}

/** What one commit does to one path or two. */
export const operationKinds = [
  "create",
  "replace",
  "delete",
  "move",
  "mkdir",
  "fileToFolder",
  "folderToFile",
  "mode",
] as const;
export type OperationKind = (typeof operationKinds)[number];

/** An operation, in the folder that all share or in one of its own. */
export interface Operation {
  readonly kind: OperationKind;
  readonly place: "same" | "other";
}

const allOperations: readonly Operation[] = operationKinds.flatMap((kind) =>
  (["same", "other"] as const).map((place) => ({ kind, place })),
);

/** All sets of one to three operations. */
export function* operationSets(most = 3, from = 0): Generator<readonly Operation[]> {
  for (let first = from; first < allOperations.length; first++) {
    const operation = allOperations[first] as Operation;
    yield [operation];
    if (most > 1) for (const rest of operationSets(most - 1, first)) yield [operation, ...rest];
  }
}

/** What comes before and after the commit in question. */
export const planShapes = {
  alone: ["commit"],
  earlier: ["first", "commit"],
  "earlier, sealed after": ["first", "commit", "checkpoint"],
  "earlier, sealed between": ["first", "checkpoint", "commit"],
  "sealed after, then more": ["commit", "checkpoint", "later"],
  "by two processes": ["first", "join", "commit", "later"],
  "after a kill": ["first", "restart", "commit", "checkpoint", "later"],
  "in three segments": ["first", "checkpoint", "commit", "restart", "later", "checkpoint"],
  "by three processes in turn": [
    "first",
    "join",
    "commit",
    "checkpoint",
    "join",
    "later",
    "back",
    "again",
    "prune",
  ],
  "pruned between": ["first", "checkpoint", "commit", "prune", "later", "prune"],
  "between unflushed ones": ["append", "first", "append", "commit", "append", "checkpoint"],
  "with a staged content": ["append", "appendFlushed", "commit", "append", "staged", "restart", "later"],
  "after edits by hand": ["edit", "commit", "edit", "later", "checkpoint"],
} as const satisfies Readonly<Record<string, readonly ShapeStep[]>>;
type ShapeStep =
  | Exclude<PlanStep["do"], "switch">
  | "first"
  | "later"
  | "again"
  | "back"
  | "appendFlushed"
  | "staged";
export type PlanShape = keyof typeof planShapes;

/** Makes the plan of a set of operations in a shape. */
export function makePlan(operations: readonly Operation[], shape: PlanShape, large = false): PowerPlan {
  const initial: Record<string, { readonly text: string; readonly mode: number }> = {
    "untouched/é.txt": { text: "stays\n", mode: 0o644 },
  };
  if (shape === "with a staged content") initial["staged/private"] = { text: "mine\n", mode: 0o600 };
  const wanted: Record<string, PlanWanted[string]> = {};
  operations.forEach(({ kind, place }, index) => {
    Object.assign(wanted, operationParts(kind, place, index, initial, large ? "x".repeat(300_000) : ""));
  });
  const first = Object.fromEntries(
    Object.entries(initial).map(([path, { mode }]) => [
      path,
      { text: `first ${path}\n`, executable: (mode & 0o100) !== 0 },
    ]),
  );
  let tree: ModelTree = new Map(Object.entries(initial));
  let commits = 0;
  const commit = (what: PlanWanted): readonly PlanStep[] => {
    tree = applyWanted(tree, what);
    commits += 1;
    return [{ do: "commit", wanted: what }];
  };
  const change = (word: string, drop: number) =>
    Object.fromEntries(
      [...tree.keys()].map((path, index) => [path, index % 3 === drop ? null : `${word} ${path}\n`]),
    );
  const steps = planShapes[shape].flatMap((step: ShapeStep, index): readonly PlanStep[] => {
    switch (step) {
      case "commit":
        return commit(wanted);
      case "first":
        return commit(first);
      case "later":
        return commit(change("later", 2));
      case "again":
        return commit(change("again", 1));
      case "staged":
        return commit({ "staged/put": { staged: "one" }, "staged/private": { staged: "one" } });
      case "append":
      case "appendFlushed":
        return [{ do: "append", to: "one", text: `part ${index}\n`.repeat(90), flush: step !== "append" }];
      case "back":
        return [{ do: "switch", handle: 0 }];
      case "prune":
        return [{ do: step, before: commits, keep: ["first untouched/é.txt\n"] }];
      case "edit": {
        const path = [...tree.keys()].at(index % tree.size) as string;
        const text = `by hand ${index}\n`;
        tree = new Map(tree).set(path, { text, mode: tree.get(path)?.mode ?? 0o644 });
        return [{ do: step, path, text }];
      }
      default:
        return [{ do: step }];
    }
  });
  const name = `${operations.map(({ kind, place }) => `${kind}/${place}`).join("+")} ${shape}${large ? " large" : ""}`;
  return { name, initial: new Map(Object.entries(initial)), steps };
}

/** The files that an operation needs go into `initial`; what the commit does is the answer. */
function operationParts(
  kind: OperationKind,
  place: Operation["place"],
  index: number,
  initial: Record<string, { readonly text: string; readonly mode: number }>,
  padding: string,
): PlanWanted {
  const folder = place === "same" ? "same" : `other${index}`;
  const at = `${folder}/${kind}${index}`;
  const old = (path: string, mode = 0o644) => {
    initial[path] = { text: `old ${path}\n`, mode };
  };
  const fresh = `new ${at}\n${padding}`;
  switch (kind) {
    case "create":
      return { [at]: fresh };
    case "replace":
      old(at, place === "same" ? 0o600 : 0o644);
      return { [at]: fresh };
    case "delete":
      old(at);
      return { [at]: null };
    case "move": {
      old(at, 0o755);
      const to = place === "same" ? `${at}-moved` : `else${index}/moved`;
      return { [at]: null, [to]: { from: at, executable: true } };
    }
    case "mkdir":
      return { [`${at}/deep/file`]: fresh };
    case "fileToFolder":
      old(at);
      return { [at]: null, [`${at}/inside`]: fresh };
    case "folderToFile":
      old(`${at}/inside`);
      return { [`${at}/inside`]: null, [at]: fresh };
    case "mode":
      old(at);
      return { [at]: { text: `old ${at}\n`, executable: true } };
  }
}
