import { test } from "vitest";
import { type FileSystemSwitch, fileSystemSwitches } from "../file-systems/switches.ts";
import { groundKind } from "./ground-kinds.ts";

/** What a storage must be able to do for a test to have a meaning. */
export type GroundAbility =
  /** Names that differ in case alone are two names. */
  | "names told apart by case"
  /** They are one name; a storage in memory can be made so. */
  | "names that fold"
  /** The same, and the form in which a name was first given is its spelling. */
  | "names that fold and keep their form"
  /** Names that differ in their Unicode form alone are two names. */
  | "names told apart by form"
  /** Files can be made executable, and read-only. */
  | "modes"
  /** There are symbolic links. */
  | "symbolic links"
  /** All is in memory: what is counted is the work of the core, or no disk is quick enough for it. */
  | "memory";

const hasAbility: Readonly<Record<GroundAbility, (kind: FileSystemSwitch) => boolean>> = {
  "names told apart by case": ({ folds = false }) => folds !== true,
  "names that fold": ({ folds = false }) => folds === true,
  "names that fold and keep their form": ({ folds = false }) =>
    folds === true && groundKind !== "decomposing names",
  "names told apart by form": ({ folds = false }) => folds === false,
  modes: ({ lacks = [] }) => !lacks.includes("modes"),
  "symbolic links": ({ lacks = [] }) => !lacks.includes("symlinks"),
  memory: () => false,
};

/** Whether the storages of this run have an ability. */
export function has(ability: GroundAbility): boolean {
  if (groundKind === "memory") return true;
  if (groundKind === "memory that folds") return !ability.startsWith("names told apart");
  const switches: Readonly<Record<string, FileSystemSwitch>> = fileSystemSwitches;
  return hasAbility[ability](switches[groundKind] ?? { layers: () => [] });
}

type Run = () => Promise<void>;

/** A test of what some kinds of file systems cannot do: there it is skipped under a name that says why. */
export function needing(ability: GroundAbility, why: string): (name: string, run: Run) => void {
  return (name, run) => {
    if (has(ability)) test(name, run);
    else test.skip(`${name} (needs ${ability}: ${why})`, run);
  };
}
