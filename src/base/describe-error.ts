import { type Continuation, HoldfastError, isHoldfastError, type Problem } from "./holdfast-error.ts";

/** How an error is put into words. */
export interface DescribeErrorOptions {
  /** The tool that stands for each method, as in `{ read: "read_file" }`; methods that are not in it are not named. Default: methods are named themselves. */
  readonly toolNames?: Readonly<Record<string, string>> | undefined;
  /** Bytes of the text at most, in UTF-8. Default: 4,096. */
  readonly maxBytes?: number | undefined;
}

/**
 * Puts an error into the words that a tool shows: what is wrong, every problem with its place, whether anything was written, and the next step.
 *
 * Anything that is not a {@link HoldfastError} is told as `UNHANDLED_EXCEPTION` with a correlation id: never its message, stack or paths, which may hold what must not be shown.
 *
 * @param error - Anything that was thrown.
 */
export function describeError(error: unknown, options: DescribeErrorOptions = {}): string {
  const maxBytes = options.maxBytes ?? 4096;
  const told = isHoldfastError(error)
    ? error
    : new HoldfastError("UNHANDLED_EXCEPTION", { written: "unknown" });
  const head = cutText(`${told.code}: ${told.message}`, Math.ceil(maxBytes / 2));
  const foot = [writtenLine(told), correlationLine(told), nextLine(told.continuation, options.toolNames)];
  const end = foot
    .filter((line) => line !== undefined)
    .map((line) => `\n${line}`)
    .join("");
  const room = maxBytes - byteLength(head) - byteLength(end);
  return cutText(head + problemLines(told, room) + end, maxBytes);
}

/** Gives as many problems as there is room for, each on a line. */
function problemLines(error: HoldfastError, room: number): string {
  const lines = error.problems.flatMap((problem) => problemLine(error, problem));
  const all = lines.map((line) => `\n${line}`).join("");
  if (byteLength(all) <= room) return all;
  let text = "";
  for (const [index, line] of lines.entries()) {
    const more = `\n- and ${lines.length - index} more`;
    const next = lines.length - index - 1 > 0 ? `\n- and ${lines.length - index - 1} more` : "";
    if (byteLength(`${text}\n${line}${next}`) > room) return text + more;
    text += `\n${line}`;
  }
  return text;
}

function problemLine(error: HoldfastError, problem: Problem): string[] {
  const place = [
    problem.changeIndex === undefined ? undefined : `change ${problem.changeIndex}`,
    problem.editIndex === undefined ? undefined : `edit ${problem.editIndex}`,
    problem.path === undefined ? undefined : JSON.stringify(problem.path),
  ].filter((part) => part !== undefined);
  const isSame =
    error.problems.length === 1 && problem.code === error.code && problem.message === error.message;
  if (isSame) return place.length === 0 ? [] : [`- in ${place.join(", ")}`];
  const where = place.length === 0 ? "" : `${place.join(", ")}: `;
  return [`- ${where}${problem.code}: ${problem.message}`];
}

function writtenLine(error: HoldfastError): string {
  if (error.written === "no") return "Nothing was written.";
  return error.written === "yes" ? "Something was written." : "It is not known whether anything was written.";
}

function correlationLine(error: HoldfastError): string | undefined {
  return error.category === "internal" ? `Correlation id: ${error.correlationId}` : undefined;
}

function nextLine(
  continuation: Continuation | undefined,
  toolNames: Readonly<Record<string, string>> | undefined,
): string | undefined {
  if (continuation === undefined) return undefined;
  const methods =
    continuation.kind === "callTool"
      ? [continuation.tool]
      : continuation.kind === "chooseTool"
        ? continuation.tools
        : [];
  const names = toolNames === undefined ? methods : methods.flatMap((method) => toolNames[method] ?? []);
  const call = names.length === 0 ? "" : `call ${names.join(" or ")}. `;
  return `Next: ${call}${continuation.instruction}`;
}

function byteLength(text: string): number {
  return new TextEncoder().encode(text).byteLength;
}

/** Cuts a text to a number of UTF-8 bytes, at the end of a character; a cut is shown where there is room. */
function cutText(text: string, maxBytes: number): string {
  if (byteLength(text) <= maxBytes) return text;
  const mark = maxBytes >= 8 ? "…" : "";
  const { read } = new TextEncoder().encodeInto(
    text,
    new Uint8Array(Math.max(0, maxBytes - byteLength(mark))),
  );
  return text.slice(0, read) + mark;
}
