import { describeError } from "../base/describe-error.ts";
import { HoldfastError, isHoldfastError } from "../base/holdfast-error.ts";
import { nextStep, type ToolNames } from "./next-step.ts";
import type { ToolCallContext, ToolResult } from "./tool-definition.ts";

/** How results are given: as text and structure, or as one of them; see the option of the same name. */
export type ResultForm = "both" | "text" | "structured";

/** What the tools of one list have in common. */
export interface ToolSetting {
  /** Names of the tools that are listed, by the method that each stands for. */
  readonly toolNames: ToolNames;
  /** How results are given. */
  readonly results: ResultForm;
}

/** What a tool did, when it was not refused. */
export interface ToolSuccess {
  readonly structured: object;
  readonly text: string;
}

/**
 * Runs the work of a tool and turns whatever it throws into a result.
 *
 * @throws Only the reason of the caller's signal, once that has fired.
 */
export async function runTool(
  setting: ToolSetting,
  context: ToolCallContext,
  mutates: boolean,
  work: () => Promise<ToolSuccess>,
): Promise<ToolResult> {
  try {
    context.signal?.throwIfAborted();
    const { structured, text } = await work();
    return render(setting, { ok: true, ...structured }, text);
  } catch (thrown) {
    if (context.signal?.aborted === true && thrown === context.signal.reason) throw thrown;
    return refusal(setting, tellable(thrown, mutates));
  }
}

function refusal(setting: ToolSetting, error: HoldfastError): ToolResult {
  const continuation = nextStep(error, setting.toolNames);
  const { continuation: _methods, ...told } = error.toJSON() as { readonly [name: string]: unknown };
  const structured = { ok: false, error: told, ...(continuation !== undefined && { continuation }) };
  return render(setting, structured, describeError(Object.assign(copyOf(error), { continuation })));
}

function render(
  { results }: ToolSetting,
  structured: { readonly ok: boolean; readonly [name: string]: unknown },
  text: string,
): ToolResult {
  return {
    ok: structured.ok,
    structured,
    text: results === "structured" ? JSON.stringify(structured) : text,
  };
}

/** An error that may be shown: nothing but a refusal of the library keeps its words, and what a platform said is taken out of those. */
function tellable(thrown: unknown, mutates: boolean): HoldfastError {
  if (!isHoldfastError(thrown))
    return new HoldfastError("UNHANDLED_EXCEPTION", { cause: thrown, written: mutates ? "unknown" : "no" });
  const said = thrown.cause instanceof Error ? thrown.cause.message : thrown.cause;
  if (typeof said !== "string" || said === "" || !thrown.message.includes(said)) return thrown;
  const clean = (message: string) => message.replaceAll(said, "details are in the log of the program");
  const problems = thrown.problems.map((problem) => ({ ...problem, message: clean(problem.message) }));
  return copyOf(thrown, { message: clean(thrown.message), problems });
}

function copyOf(
  error: HoldfastError,
  changed: Partial<Pick<HoldfastError, "message" | "problems">> = {},
): HoldfastError {
  const { code, message, details, problems, correlationId, written, cause } = error;
  return new HoldfastError(code, {
    message,
    details: details as never,
    problems,
    correlationId,
    written,
    cause,
    ...changed,
  });
}
