import { checkPath } from "../../storage/check-batch.ts";
import { ancestorsOf } from "../../tree/path-parts.ts";
import type { ContractSession } from "./contract-session.ts";

/** Whether a call tells of a path: by its name, by that of a folder of it, or by saying that anything may have changed. */
function tellsOf(told: readonly string[] | "unknown", path: string): boolean {
  return told === "unknown" || [path, ...ancestorsOf(path)].some((place) => told.includes(place));
}

/** A listener that keeps what it is told, and those who wait for it. */
export class ToldPaths {
  /** How often it was called. */
  calls = 0;
  readonly #stop = new AbortController();
  readonly #session: ContractSession;
  #told: (readonly string[] | "unknown")[] = [];
  #wake: (() => void) | undefined;
  #wrong: unknown;

  constructor(session: ContractSession) {
    this.#session = session;
    session.watch((told) => this.#hear(told), this.#stop.signal);
  }

  #hear(told: readonly string[] | "unknown"): void {
    this.calls += 1;
    this.#told.push(told);
    try {
      if (told !== "unknown") for (const path of told) checkPath(path);
    } catch (error) {
      this.#wrong ??= error;
    }
    this.#wake?.();
  }

  /** Forgets what it was told, and waits until it is told of the paths. */
  async next(...paths: readonly string[]): Promise<void> {
    this.#told = [];
    await this.all(...paths);
  }

  /** Waits until it has been told of each of the paths, since the last time that it forgot. */
  async all(...paths: readonly string[]): Promise<void> {
    while (!paths.every((path) => this.#told.some((told) => tellsOf(told, path))))
      await new Promise<void>((resolve) => (this.#wake = resolve));
    if (this.#wrong !== undefined) throw this.#wrong;
  }

  /** Changes a file from outside, and waits until a call came in or after which that change is read. */
  async change(path: string, text: string | null): Promise<void> {
    this.#told = [];
    await this.#session.writeOutside(path, text);
    await this.all(path);
    while ((await this.#session.textOf(path)) !== (text ?? undefined)) await this.next(path);
  }

  /** Stops listening. */
  stop(): void {
    this.#stop.abort();
  }
}
