import type { FileSystemLayer } from "./file-system-layer.ts";
import { foldNames, type NameRules, nameRules } from "./fold-names.ts";
import { coarseTimes, noAnchors, noHardLinks, noModes, noSymbolicLinks } from "./lack-features.ts";
import { numbersOfOneMount } from "./number-files.ts";
import {
  flushNeedsWriting,
  noFolderFlush,
  readOnlyBlocksRename,
  refuseForAWhile,
} from "./refuse-for-a-while.ts";

/** A file system unlike the one that tests usually run on. */
export interface FileSystemSwitch {
  /** The layers that make it so, the lowest first; made anew for each process that is simulated. */
  readonly layers: () => readonly FileSystemLayer[];
  /** Whether it never refuses a call that works a moment later. Default: true. */
  readonly isPatient?: boolean;
  /** Whether the rules of Windows hold. */
  readonly isWindows?: boolean;
  /** Whether names fold; `form`: case is told apart all the same. */
  readonly folds?: boolean | "form";
  /** What it cannot hold. */
  readonly lacks?: readonly ("modes" | "symlinks")[];
  /** Cases of the contract that it cannot pass, with the reason. */
  readonly unfit?: Readonly<Record<string, string>>;
}

const openings = ["open", "create", "readdir", "copy"] as const;
const namings = ["rename", "unlink", "rmdir", "open"] as const;

/** Without hard links a file that is replaced is moved away first: for that moment there is none. */
const seenWithoutLinks = {
  "Whoever reads while files are written sees each file in one committed state":
    "without hard links there is a moment in which a reader finds nothing",
};

const folding = (rules: NameRules): FileSystemSwitch => ({ layers: () => [foldNames(rules)], folds: true });

/** Every kind of file system that the directory storage is tried on besides the usual one. */
export const fileSystemSwitches = {
  "folding case": folding(nameRules["case-folds"]),
  "folding case and form": folding(nameRules["case-and-form-fold"]),
  "folding form": { ...folding(nameRules["form-folds"]), folds: "form" },
  "decomposing names": {
    ...folding(nameRules["names-decompose"]),
    unfit: { "A name may have 255 bytes, in ASCII or not": "decomposed, a name of 255 bytes has more" },
  },
  "spellings that stay": folding(nameRules["spelling-stays"]),
  "no hard links (EPERM)": { layers: () => [noHardLinks("EPERM")], unfit: seenWithoutLinks },
  "no hard links (ENOTSUP)": { layers: () => [noHardLinks("ENOTSUP")], unfit: seenWithoutLinks },
  "no symbolic links": { layers: () => [noSymbolicLinks("EPERM")], lacks: ["symlinks"] },
  "modes ignored": { layers: () => [noModes(0o644, "ignored")], lacks: ["modes"] },
  "modes refused": { layers: () => [noModes(0o755, "refused")], lacks: ["modes"] },
  "renames busy": {
    layers: () => [
      refuseForAWhile({ calls: namings, codes: ["EBUSY", "EPERM", "EACCES"], every: 2, times: 4 }),
    ],
    isPatient: false,
    isWindows: true,
  },
  "few descriptors": {
    layers: () => [refuseForAWhile({ calls: openings, codes: ["EMFILE", "ENFILE"], every: 2, times: 3 })],
    isPatient: false,
  },
  "read-only blocks rename": { layers: () => [readOnlyBlocksRename()] },
  "no folder flush": { layers: () => [noFolderFlush("EPERM"), flushNeedsWriting()], isWindows: true },
  "no anchors": { layers: () => [noAnchors()] },
  "numbers of one mount": { layers: () => [numbersOfOneMount()] },
  "times of one second": { layers: () => [coarseTimes(1_000_000_000n)] },
  "times of two seconds": { layers: () => [coarseTimes(2_000_000_000n)] },
  "as on FAT": {
    layers: () => [
      foldNames(nameRules["case-folds"]),
      noHardLinks("EPERM"),
      noSymbolicLinks("EPERM"),
      noModes(0o755, "refused"),
      coarseTimes(2_000_000_000n),
      numbersOfOneMount(),
    ],
    folds: true,
    lacks: ["modes", "symlinks"],
    unfit: seenWithoutLinks,
  },
  "as on Windows": {
    layers: () => [
      foldNames(nameRules["case-folds"]),
      noSymbolicLinks("EPERM"),
      noModes(0o644, "ignored"),
      noAnchors(),
      readOnlyBlocksRename(),
      noFolderFlush("EPERM"),
      flushNeedsWriting(),
      refuseForAWhile({ calls: namings, codes: ["EBUSY", "EPERM", "EACCES"], every: 2, times: 2 }),
    ],
    isPatient: false,
    isWindows: true,
    folds: true,
    lacks: ["modes", "symlinks"],
  },
  "as on macOS": {
    layers: () => [foldNames(nameRules["case-and-form-fold"]), noAnchors()],
    folds: true,
  },
} as const satisfies Readonly<Record<string, FileSystemSwitch>>;
