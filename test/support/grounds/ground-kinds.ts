import type { fileSystemSwitches } from "../file-systems/switches.ts";

/** Where the workspaces of a test run are kept. */
export type GroundKind = "memory" | "memory that folds" | "directory" | keyof typeof fileSystemSwitches;

/** Suites whose workspaces come from here. */
type GroundSuite = "core" | "cases" | "property" | "mcp";

/** Every suite. */
const everySuite: readonly GroundSuite[] = ["core", "cases", "property", "mcp"];

/** The kinds besides memory that every run takes suites to: what each of them breaks, no other of them does. */
const decisiveGrounds: readonly Ground[] = [
  { kind: "memory that folds", suites: ["core"] },
  { kind: "directory", suites: ["core"] },
  { kind: "decomposing names", suites: ["core", "cases"] },
  { kind: "renames busy", suites: ["core"] },
  { kind: "as on FAT", suites: everySuite },
  { kind: "as on macOS", suites: ["core"] },
];

/** All kinds besides memory. */
const allKinds: readonly GroundKind[] = [
  "memory that folds",
  "directory",
  "folding case",
  "folding case and form",
  "folding form",
  "decomposing names",
  "spellings that stay",
  "no hard links (EPERM)",
  "no hard links (ENOTSUP)",
  "no symbolic links",
  "modes ignored",
  "modes refused",
  "renames busy",
  "few descriptors",
  "read-only blocks rename",
  "no folder flush",
  "no anchors",
  "numbers of one mount",
  "times of one second",
  "times of two seconds",
  "as on FAT",
  "as on Windows",
  "as on macOS",
];

/** A kind, and what is tried on it. */
interface Ground {
  readonly kind: GroundKind;
  readonly suites: readonly GroundSuite[];
}

/** What a run tries besides memory: the decisive kinds, or every suite on all of them. */
export function groundsOf(extent: "decisive" | "all"): readonly Ground[] {
  return extent === "decisive" ? decisiveGrounds : allKinds.map((kind) => ({ kind, suites: everySuite }));
}

/** The kind of this run, read from the environment variable `TEST_GROUND`; memory when it is not set. */
export const groundKind: GroundKind = parseGroundKind(process.env["TEST_GROUND"]);

function parseGroundKind(value: string | undefined): GroundKind {
  if (value === undefined || value === "") return "memory";
  const kind = (["memory", ...allKinds] as const).find((one) => one === value);
  if (kind === undefined) throw new Error(`TEST_GROUND names no kind of file system: "${value}".`);
  return kind;
}
