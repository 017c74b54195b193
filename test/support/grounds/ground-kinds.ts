import type { fileSystemSwitches } from "../file-systems/switches.ts";

/** Where the workspaces of a test run are kept. */
export type GroundKind = "memory" | "memory that folds" | "directory" | keyof typeof fileSystemSwitches;

/** The kinds besides memory that every run takes the suites to: each stands for what only it can break. */
export const decisiveKinds: readonly GroundKind[] = [
  "memory that folds",
  "directory",
  "folding case and form",
  "decomposing names",
  "no hard links (EPERM)",
  "modes refused",
  "renames busy",
  "as on FAT",
];

/** All kinds besides memory, for a run that may take its time. */
export const allKinds: readonly GroundKind[] = [
  ...decisiveKinds,
  "folding case",
  "folding form",
  "spellings that stay",
  "no hard links (ENOTSUP)",
  "no symbolic links",
  "modes ignored",
  "few descriptors",
  "read-only blocks rename",
  "no folder flush",
  "no anchors",
  "numbers of one mount",
  "times of one second",
  "times of two seconds",
  "as on Windows",
  "as on macOS",
];

/** The kind of this run, read from the environment variable `TEST_GROUND`; memory when it is not set. */
export const groundKind: GroundKind = parseGroundKind(process.env["TEST_GROUND"]);

function parseGroundKind(value: string | undefined): GroundKind {
  if (value === undefined || value === "") return "memory";
  const kind = (["memory", ...allKinds] as const).find((one) => one === value);
  if (kind === undefined) throw new Error(`TEST_GROUND names no kind of file system: "${value}".`);
  return kind;
}
