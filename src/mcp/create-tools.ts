import { HoldfastError } from "../base/holdfast-error.ts";
import { type Limits, toolLimits } from "../base/limits.ts";
import type { Workspace } from "../core/workspace.ts";
import { applyChangesTool } from "./apply-changes-tool.ts";
import { readFileTool } from "./read-file-tool.ts";
import type { ResultForm, ToolSetting } from "./run-tool.ts";
import { sayChoice } from "./say-choice.ts";
import type { ToolDefinition } from "./tool-definition.ts";

/** The tools that there are, by their own names. */
export type ToolName = "read_file" | "apply_changes";

/** Bounds of calls of tools that take the place of the usual ones. */
export type ToolLimitOverrides = {
  readonly [Name in "requestBytes" | "changes" | "editsPerChange" | "pageLines" | "pageBytes"]?:
    | Limits[Name]
    | undefined;
};

/** Which tools are made, and how. */
export interface ToolOptions {
  /** Only these, by their own names. Default: all. */
  readonly include?: readonly ToolName[] | undefined;
  /** All but these, by their own names. Default: none. */
  readonly exclude?: readonly ToolName[] | undefined;
  /** Other names to publish, by a table or a function of the own names. Default: the own names. */
  readonly names?:
    | { readonly [Name in ToolName]?: string | undefined }
    | ((name: ToolName) => string)
    | undefined;
  /**
   * `"both"` gives text for the model and structure for programs; `"text"` publishes no output schema and sends text alone; `"structured"` puts
   * the structure into the text too, as JSON. Default: `"both"`.
   */
  readonly results?: ResultForm | undefined;
  /** Bounds of calls, in place of those of `toolLimits`; those of the workspace hold besides. Default: none. */
  readonly limits?: ToolLimitOverrides | undefined;
}

interface ToolKind {
  readonly name: ToolName;
  readonly mutates: boolean;
  /** Methods of the library that the tool stands for, when an error names one as the next step. */
  readonly methods: readonly string[];
  readonly make: (workspace: Workspace, limits: Limits, setting: ToolSetting) => ToolDefinition;
}

const kinds: readonly ToolKind[] = [
  { name: "read_file", mutates: false, methods: ["read", "readLines"], make: readFileTool },
  { name: "apply_changes", mutates: true, methods: ["apply", "edit", "write"], make: applyChangesTool },
];

/**
 * Makes tools for a workspace, as plain definitions for any host. A tool that could only be refused is left out: of a workspace that is open for
 * inspection only, those that change files.
 *
 * @param workspace - What the tools work on; it stays the caller's to close.
 * @param options - Each with its default; nothing is needed.
 * @throws {@link HoldfastError} `INVALID_ARGUMENT` for a tool that does not exist, and for two tools of one name.
 */
export function createTools(workspace: Workspace, options: ToolOptions = {}): readonly ToolDefinition[] {
  const { results = "both" } = options;
  const limits = limitsOf(options.limits);
  const listed = chooseKinds(workspace, options).map((kind) => ({
    kind,
    name: publishedName(kind, options),
  }));
  refuseSameName(listed.map(({ name }) => name));
  const toolNames = Object.fromEntries(
    listed.flatMap(({ kind, name }) => kind.methods.map((method) => [method, name])),
  );
  return listed.map(({ kind }) => kind.make(workspace, limits, { toolNames, results }));
}

function chooseKinds(workspace: Workspace, { include, exclude = [] }: ToolOptions): readonly ToolKind[] {
  const all = kinds.map(({ name }) => name);
  for (const name of [...(include ?? []), ...exclude]) {
    if (!all.includes(name))
      throw new HoldfastError("INVALID_ARGUMENT", { message: `The name of a tool ${sayChoice(name, all)}.` });
  }
  return kinds.filter(
    ({ name, mutates }) =>
      (include ?? all).includes(name) &&
      !exclude.includes(name) &&
      !(mutates && workspace.mode === "inspectionOnly"),
  );
}

function publishedName({ name }: ToolKind, { names }: ToolOptions): string {
  const published = typeof names === "function" ? names(name) : (names?.[name] ?? name);
  // What all hosts that are known take.
  if (/^[A-Za-z0-9_-]{1,64}$/.test(published)) return published;
  throw new HoldfastError("INVALID_ARGUMENT", {
    message: `The tool ${name} cannot be published as ${JSON.stringify(published)}: a name has 1 to 64 letters, digits, "_" and "-".`,
  });
}

function refuseSameName(names: readonly string[]): void {
  const twice = names.find((name, index) => names.indexOf(name) !== index);
  if (twice === undefined) return;
  throw new HoldfastError("INVALID_ARGUMENT", { message: `Two tools would have the name "${twice}".` });
}

function limitsOf(overrides: ToolLimitOverrides = {}): Limits {
  const given = Object.entries(overrides).filter(([, bound]) => bound !== undefined);
  for (const [name, bound] of given) {
    if (!Number.isInteger(bound) || (bound as number) < 1)
      throw new HoldfastError("INVALID_ARGUMENT", {
        message: `"limits.${name}" must be an integer of at least 1.`,
      });
  }
  return { ...toolLimits, ...(Object.fromEntries(given) as Partial<Limits>) };
}
