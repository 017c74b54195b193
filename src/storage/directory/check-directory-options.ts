import { type Problem, throwProblems } from "../../base/holdfast-error.ts";
import type { DirectoryStorageOptions } from "./directory-options.ts";

type OptionCheck = { readonly isRight: (value: unknown) => boolean; readonly wants: string };

const isName = (value: unknown) => typeof value === "string" && value !== "" && !value.includes("\u0000");

const checks: Readonly<Record<keyof DirectoryStorageOptions, OptionCheck>> = {
  root: { isRight: isName, wants: "the path of a folder" },
  stateDir: { isRight: (value) => value === undefined || isName(value), wants: "the path of a folder" },
  durability: {
    isRight: (value) => value === undefined || value === "power" || value === "process",
    wants: '"power" or "process"',
  },
  hardLinks: {
    isRight: (value) => value === undefined || value === "break" || value === "refuse",
    wants: '"break" or "refuse"',
  },
};

/**
 * Holds options to their form: a misspelt one would weaken what is promised without a word.
 *
 * @throws {@link HoldfastError} `INVALID_ARGUMENT` with every wrong option.
 */
export function checkDirectoryOptions(options: DirectoryStorageOptions): void {
  const given: unknown = options;
  if (typeof given !== "object" || given === null) {
    throwProblems([
      { code: "INVALID_ARGUMENT", message: "The options of a directory storage must be an object." },
    ]);
  }
  const problems: Problem[] = [];
  for (const [name, { isRight, wants }] of Object.entries(checks)) {
    if (isRight((given as Record<string, unknown>)[name])) continue;
    problems.push({ code: "INVALID_ARGUMENT", message: `"${name}" must be ${wants}.` });
  }
  for (const name of Object.keys(given)) {
    if (Object.hasOwn(checks, name)) continue;
    const known = Object.keys(checks).join(", ");
    problems.push({ code: "INVALID_ARGUMENT", message: `There is no option "${name}"; known are ${known}.` });
  }
  if (problems.length > 0) throwProblems(problems);
}
