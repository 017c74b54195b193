import { type ApplyResult, isHoldfastError, type Workspace } from "holdfast";
import { createTools } from "holdfast/mcp";

/** Every way to change files that there is. */
export const doorNames = ["apply", "edit", "write", "update", "apply_changes"] as const;

/** The name of a way to change files. */
export type DoorName = (typeof doorNames)[number];

/** Ways that later versions bring; the promises will be tried through them too. */
export const laterDoors = ["transaction", "stage", "changeset", "patch", "revert", "git"];

/** What a call came to, whichever way it was made. */
export type Answer =
  | { readonly ok: true; readonly replayed: boolean; readonly text: string }
  | {
      readonly ok: false;
      readonly code: string;
      readonly written: string;
      readonly next: string;
      readonly problems: readonly { readonly code: string }[];
    };

/** What to replace where; without a revision where the way can do without. */
export interface Replacement {
  readonly path: string;
  readonly oldText: string;
  readonly newText: string;
  readonly revision?: string;
  /** The whole new content, for doors that take no less. Default: made of what the file holds. */
  readonly content?: string;
}

/** Replaces text in files through a door, all in one call where the door takes several, and tells what it came to. */
export async function replaceThrough(
  door: DoorName,
  workspace: Workspace,
  replacements: readonly Replacement[],
  options: { readonly idempotencyKey?: string } = {},
): Promise<Answer> {
  const changes = replacements.map(({ path, oldText, newText, revision }) => ({
    action: "edit" as const,
    path,
    ...(revision !== undefined && { revision }),
    edits: [{ op: "replace_text" as const, oldText, newText }],
  }));
  if (door === "apply") return await answerOf(workspace.apply(changes, options));
  if (door === "apply_changes") return await callTool(workspace, "apply_changes", { changes, ...options });
  const [only] = replacements;
  if (only === undefined || replacements.length > 1) throw new Error(`${door} takes one file.`);
  return await answerOf(replaceInOne(door, workspace, only, options));
}

async function replaceInOne(
  door: "edit" | "write" | "update",
  workspace: Workspace,
  { path, oldText, newText, revision, content }: Replacement,
  options: { readonly idempotencyKey?: string },
): Promise<ApplyResult> {
  if (door === "edit")
    return await workspace.edit(path, { op: "replace_text", oldText, newText }, { revision, ...options });
  if (door === "update")
    return await workspace.update(path, (current) => current?.text.replace(oldText, newText), options);
  if (content !== undefined) return await workspace.write(path, content, { revision, ...options });
  const write = async (keyed: { readonly idempotencyKey?: string }) => {
    const file = await workspace.readBytes(path);
    const text = Buffer.from(file.bytes).toString("latin1").replace(oldText, newText);
    return await workspace.write(path, Buffer.from(text, "latin1"), {
      revision: revision ?? file.revision,
      ...keyed,
    });
  };
  // A repeat would make another content of what is there by then, so the key is asked first.
  return options.idempotencyKey === undefined
    ? await write({})
    : await workspace.once(options.idempotencyKey, write);
}

/** Calls a tool as a host without an SDK does. */
export async function callTool(workspace: Workspace, name: string, input: object): Promise<Answer> {
  const tool = createTools(workspace).find((one) => one.name === name);
  if (tool === undefined) throw new Error(`There is no tool ${name}.`);
  const { ok, structured, text } = await tool.call(input);
  if (ok) return { ok, replayed: structured["idempotentReplay"] === true, text };
  const error = structured["error"] as { code: string; written: string; problems: { code: string }[] };
  return { ok, ...error, next: /^Next: (.*)$/m.exec(text)?.[1] ?? "" };
}

/** Waits for a call and tells what it came to. */
export async function answerOf(call: Promise<ApplyResult | object>): Promise<Answer> {
  try {
    const result = await call;
    const replayed = "idempotentReplay" in result && result.idempotentReplay;
    return { ok: true, replayed, text: "text" in result ? String(result.text) : "" };
  } catch (error) {
    if (!isHoldfastError(error)) throw error;
    const { code, written, problems, continuation } = error;
    const tool = continuation?.kind === "callTool" ? `call ${continuation.tool}. ` : "";
    return { ok: false, code, written, problems, next: `${tool}${continuation?.instruction ?? ""}` };
  }
}
