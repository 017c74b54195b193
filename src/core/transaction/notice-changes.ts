import type { CancelOptions } from "../../base/clock.ts";
import { isHoldfastError } from "../../base/holdfast-error.ts";
import type { StoredStat } from "../../storage/storage-adapter.ts";
import { equalStates } from "../../tree/file-state.ts";
import { eachBounded } from "../each-bounded.ts";
import { loadFile } from "../load-folder.ts";
import { Spellings } from "../spellings.ts";
import type { ViewContext } from "../workspace-context.ts";
import { findObstacles } from "./obstacles.ts";
import type { Pin, StagedSteps } from "./staged-steps.ts";

/**
 * Notices which of the paths that a transaction relies on are no longer as they were. Looks at each, and reads those only whose look does not say
 * that they are unchanged.
 */
export class OutsideChanges {
  readonly #context: ViewContext;
  /** The stamp that a file had when its bytes were last found to be those of its pin. */
  readonly #stamps = new Map<string, { readonly pin: Pin; readonly stamp: string }>();
  #trustsStamps = true;
  /** Newer versions of files whose state is that of their pin. */
  readonly #versions = new Map<string, { readonly pin: Pin; readonly version: string }>();

  constructor(context: ViewContext) {
    this.#context = context;
  }

  /** Lists the paths that changed, and those of files that stand where steps make new ones. */
  async find(steps: StagedSteps, options: CancelOptions): Promise<ReadonlySet<string>> {
    const { pins } = steps;
    const changed = new Set<string>();
    const paths = [...pins.keys()];
    await eachBounded(paths, async (path) => {
      if (!(await this.#isUnchanged(path, pins.get(path) as Pin, options))) changed.add(path);
    });
    this.#trustsStamps = true;
    for (const path of await findObstacles(this.#context, steps, options)) changed.add(path);
    return changed;
  }

  /** Makes the next search read what only a hint says to be unchanged: the storage has found something to be changed. */
  distrust(): void {
    this.#trustsStamps = false;
  }

  /** The version that a commit is to expect of a path. */
  versionOf(path: string, pin: Pin): string | null {
    const newer = this.#versions.get(path);
    return newer?.pin === pin ? newer.version : pin.version;
  }

  async #isUnchanged(path: string, pin: Pin, { signal }: CancelOptions): Promise<boolean> {
    const stat = await this.#context.files.stat(path, { signal });
    if (pin.state === undefined) return stat === undefined || (await this.#isOtherSpelling(path, { signal }));
    if (stat === undefined) return false;
    if (!looksLike(stat, pin)) return false;
    if (stat.version !== undefined && stat.version === this.versionOf(path, pin)) return true;
    const known = this.#stamps.get(path);
    const stamp = known?.pin === pin ? known.stamp : pin.stamp;
    if (this.#trustsStamps && stat.stamp !== undefined && stat.stamp === stamp) return true;
    return await this.#readsLike(path, pin, stat, { signal });
  }

  /** Absence is of the exact spelling; what is there in another one is no change at this path. */
  async #isOtherSpelling(path: string, options: CancelOptions): Promise<boolean> {
    const { files } = this.#context;
    if (files.capabilities.caseSensitive) return false;
    return (await new Spellings(files).other(path, options)) !== undefined;
  }

  async #readsLike(path: string, pin: Pin, stat: StoredStat, { signal }: CancelOptions): Promise<boolean> {
    const load = loadFile(this.#context, path, { signal, limit: "binaryBytes", keepBytes: false });
    const file = await load.catch((error: unknown) => {
      if (!isHoldfastError(error, "LIMIT_EXCEEDED")) throw error;
    });
    if (file === undefined || !equalStates(file, pin.state)) return false;
    if (file.version !== pin.version) this.#versions.set(path, { pin, version: file.version });
    if (stat.stamp !== undefined) this.#stamps.set(path, { pin, stamp: stat.stamp });
    return true;
  }
}

function looksLike(stat: StoredStat, { state }: Pin): boolean {
  return (
    state?.kind === stat.kind && state.byteLength === stat.byteLength && state.executable === stat.executable
  );
}
