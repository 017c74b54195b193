import * as fs from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { type ErrorCode, type HoldfastError, MemoryStorage, type OpenOptions, Workspace } from "holdfast";
import { openDirectory } from "holdfast/node";
import { expect, test } from "vitest";
import { fromLatin1 } from "../support/edit-text.ts";
import { groundKind } from "../support/grounds/ground-kinds.ts";
import { type GroundAbility, needing } from "../support/grounds/needing.ts";
import { sameGround, testStorage } from "../support/grounds/test-storage.ts";
import { refusalOf } from "../support/refusal.ts";

/** First files of a case: text (stored as UTF-8) or bytes. */
export type CaseFiles = Readonly<Record<string, string | Uint8Array>>;

/** A workspace on some storage, and what a case does around it. */
export interface CaseWorkspace {
  readonly workspace: Workspace;
  /** Opens the storage once more, as a second agent would. */
  another(options?: OpenOptions): Promise<Workspace>;
  /** Changes a file as another program would; `null` removes it. */
  outside(path: string, content: string | Uint8Array | null): void;
  /** A file's bytes, one character a byte; `undefined` when there is none. */
  raw(path: string): Promise<string | undefined>;
  /** Every file with its bytes, one character a byte. */
  files(): Promise<Record<string, string>>;
  /** The revision of a file, as a reader would get it. */
  revision(path: string): Promise<string>;
  /** Expects a call to be refused with a code, with nothing written. */
  refuses(code: ErrorCode, call: () => Promise<unknown>): Promise<HoldfastError>;
}

/** The storage and its outside, without what is the same for all. */
type Ground = Pick<CaseWorkspace, "outside" | "files"> & {
  open(options: OpenOptions): Promise<Workspace>;
  dispose(): void;
};

/** Runs a case on a storage in memory and on a real directory; where the run is about another kind of storage, on that. */
export function testCase(
  name: string,
  files: CaseFiles,
  check: (on: CaseWorkspace) => Promise<void>,
  options: OpenOptions & { readonly needs?: readonly [GroundAbility, why: string] } = {},
): void {
  const { needs, ...open } = options;
  const run = needs === undefined ? test : needing(...needs);
  for (const { kind, make } of grounds) {
    run(`${name} (${kind})`, async () => {
      const ground = make(files);
      const opened: Workspace[] = [];
      const another = async (more: OpenOptions = {}) => {
        const workspace = await ground.open({ ...open, ...more });
        opened.push(workspace);
        return workspace;
      };
      try {
        await check(caseOn(ground, await another(), another));
      } finally {
        for (const workspace of opened) await workspace.close();
        ground.dispose();
      }
    });
  }
}

function caseOn(ground: Ground, workspace: Workspace, another: CaseWorkspace["another"]): CaseWorkspace {
  return {
    ...ground,
    workspace,
    another,
    raw: async (path) => (await ground.files())[path],
    revision: async (path) => (await workspace.readBytes(path)).revision,
    refuses: async (code, call) => {
      const before = await ground.files();
      const error = await refusalOf(call);
      expect(error).toMatchObject({ code, written: "no" });
      expect(await ground.files()).toEqual(before);
      return error;
    },
  };
}

const memoryGround = {
  kind: "memory",
  make: (files: CaseFiles): Ground => {
    const storage = new MemoryStorage({ files });
    return {
      open: (options) => Workspace.open(storage, options),
      outside: (path, content) => storage.writeOutside(path, content),
      files: async () => {
        const found: Record<string, string> = {};
        for await (const { path } of storage.list({ under: "" })) {
          const file = await storage.read(path, {});
          if (file !== undefined) found[path] = fromLatin1(file.bytes);
        }
        return found;
      },
      dispose: () => undefined,
    };
  },
} as const;

const directoryGround = {
  kind: "directory",
  make: (files: CaseFiles): Ground => {
    const root = newFolder();
    const outside = (path: string, content: string | Uint8Array | null) => {
      const at = join(root, path);
      if (content === null) return fs.rmSync(at);
      fs.mkdirSync(dirname(at), { recursive: true });
      fs.writeFileSync(at, content);
    };
    for (const [path, content] of Object.entries(files)) outside(path, content);
    return {
      open: (options) => openDirectory(root, options),
      outside,
      files: async () => rawFiles(root),
      dispose: () => fs.rmSync(root, { recursive: true, force: true }),
    };
  },
} as const;

const groundOfRun = {
  kind: groundKind,
  make: (files: CaseFiles): Ground => {
    const storage = testStorage({ files });
    return {
      open: (options) => Workspace.open(sameGround(storage), options),
      outside: (path, content) => storage.writeOutside(path, content),
      files: async () =>
        Object.fromEntries(
          Object.entries(storage.toJSON()).map(([path, shown]) => [path, fromLatin1(shownBytes(shown))]),
        ),
      dispose: () => undefined,
    };
  },
};

const grounds = groundKind === "memory" ? [memoryGround, directoryGround] : [groundOfRun];

function shownBytes(shown: string): Uint8Array {
  const [, base64] = shown.match(/^base64:(.*)$/s) ?? [];
  return base64 === undefined ? new TextEncoder().encode(shown) : Buffer.from(base64, "base64");
}

/** Makes an empty folder beside other temporary ones. */
export function newFolder(): string {
  return fs.realpathSync(fs.mkdtempSync(join(tmpdir(), "holdfast-case-")));
}

/** Every file below a folder with its bytes, one character a byte; the state folder left out. */
export function rawFiles(root: string, under = ""): Record<string, string> {
  const found: Record<string, string> = {};
  for (const entry of fs.readdirSync(join(root, under), { withFileTypes: true })) {
    const path = under === "" ? entry.name : `${under}/${entry.name}`;
    if (path === ".holdfast") continue;
    if (entry.isDirectory()) Object.assign(found, rawFiles(root, path));
    else
      found[path] = entry.isSymbolicLink()
        ? `link to ${fs.readlinkSync(join(root, path))}`
        : fs.readFileSync(join(root, path), "latin1");
  }
  return found;
}

/** Text as its UTF-8 bytes, one character a byte. */
export function rawText(text: string): string {
  return fromLatin1(new TextEncoder().encode(text));
}
