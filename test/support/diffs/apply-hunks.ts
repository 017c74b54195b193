import type { FileDiff } from "../../../src/tree/tree-diff.ts";

/** Text as bytes, in the encoding that a diff says its texts are in. */
export function bytesOfText(text: string, { encoding }: Pick<FileDiff, "encoding">): Buffer {
  return Buffer.from(text, encoding ?? "utf8");
}

/** Cuts bytes behind each line feed. */
function cut(bytes: Uint8Array): readonly Buffer[] {
  const text = Buffer.from(bytes).toString("latin1");
  return (text.match(/[^\n]*\n|[^\n]+$/g) ?? []).map((line) => Buffer.from(line, "latin1"));
}

/**
 * Applies the hunks of a diff to the old bytes by nothing but what they say, and throws where a hunk says anything that is not so: a wrong line, a wrong
 * count, a place before the one of the hunk before it.
 */
export function applyHunks(before: Uint8Array, diff: FileDiff): Buffer {
  const old = cut(before);
  const made: Buffer[] = [];
  let at = 0;
  const expect = (claim: boolean, what: string) => {
    if (!claim) throw new Error(`${diff.path}: ${what}`);
  };
  for (const { oldStart, oldLines, newStart, newLines, lines } of diff.hunks) {
    const from = oldLines === 0 ? oldStart : oldStart - 1;
    expect(from >= at, "a hunk begins before the one before it ends");
    while (at < from) made.push(old[at++] ?? Buffer.from("missing"));
    expect(
      made.length === (newLines === 0 ? newStart : newStart - 1),
      "a hunk has another place in the new text",
    );
    const [oldEnd, newEnd] = [at + oldLines, made.length + newLines];
    for (const [index, line] of lines.entries()) {
      if (line.startsWith("\\")) continue;
      const open = lines[index + 1]?.startsWith("\\") === true;
      const bytes = bytesOfText(line.slice(1) + (open ? "" : "\n"), diff);
      if (line[0] === " " || line[0] === "-")
        expect(old[at++]?.equals(bytes) === true, `${line} is not there`);
      if (line[0] === " " || line[0] === "+") made.push(bytes);
      expect(" +-".includes(line[0] ?? ""), `${line} has no prefix`);
    }
    expect(at === oldEnd && made.length === newEnd, "a hunk counts its lines wrong");
  }
  return Buffer.concat([...made, ...old.slice(at)]);
}
