/** Gives a number from 0 up to a bound. */
export type Choose = (below: number) => number;

/** A generator of numbers that the same seed makes give the same ones (Mulberry). */
export function chooser(seed: number): Choose {
  let state = seed | 0;
  return (below) => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) % below;
  };
}

const forged = [
  "*** Begin Patch",
  "*** End Patch",
  "*** Update File: f",
  "*** Add File: g",
  "*** Delete File: f",
  "*** Move to: ../out",
  "*** End of File",
  "diff --git a/f b/f",
  'diff --git "a/\\303" b/f',
  "--- a/f",
  "+++ b/f",
  "--- /dev/null",
  "+++ /dev/null",
  "--- a/../x",
  "--- x\u2028y",
  "+++ .git/config",
  "@@ -1,3 +1,3 @@",
  "@@ -999999999,999999999 +0,0 @@",
  "@@@ -1 -1 +1 @@@",
  "@@",
  "@@ a",
  "rename from f",
  "rename to g",
  "copy from f",
  "new file mode 100644",
  "deleted file mode 100644",
  "old mode 100644",
  "new mode 120000",
  "similarity index 100%",
  "GIT binary patch",
  "\\ No newline at end of file",
  "",
];
const odd = [
  "\0",
  "\n",
  "\r",
  "\r\n",
  "\t",
  "\u2028",
  "\ufeff",
  "\ud800",
  '"',
  "\\",
  " ",
  "-",
  "+",
  "@@",
  "..",
  "/",
  "\u{1f600}",
];

const mutations: readonly ((patch: string, choose: Choose) => string)[] = [
  (patch, choose) => splice(patch, choose, 1, String.fromCharCode(choose(0x250))),
  (patch, choose) => splice(patch, choose, choose(3), odd[choose(odd.length)] ?? ""),
  (patch, choose) => patch.slice(0, choose(patch.length + 1)),
  (patch, choose) => patch.slice(choose(patch.length + 1)),
  (patch, choose) => onLines(patch, choose, (lines, at) => void lines.splice(at, 1)),
  (patch, choose) => onLines(patch, choose, (lines, at) => void lines.splice(at, 0, lines[at] ?? "")),
  (patch, choose) =>
    onLines(patch, choose, (lines, at) => void lines.splice(at, 0, forged[choose(forged.length)] ?? "")),
  (patch, choose) =>
    onLines(patch, choose, (lines, at) => void lines.splice(at, 1, forged[choose(forged.length)] ?? "")),
  (patch, choose) =>
    onLines(patch, choose, (lines, at) => {
      const other = choose(lines.length);
      [lines[at], lines[other]] = [lines[other] ?? "", lines[at] ?? ""];
    }),
  (patch, choose) => patch.replace(/\d+/g, (digits) => (choose(4) === 0 ? String(choose(40)) : digits)),
  (patch, choose) => (choose(4) === 0 ? patch.replaceAll("\n", "\r\n") : patch + patch),
];

/** Damages a patch in one to three ways. */
export function mutatePatch(patch: string, choose: Choose): string {
  let mutated = patch;
  for (let left = 1 + choose(choose(3) + 1); left > 0; left--)
    mutated = mutations[choose(mutations.length)]?.(mutated, choose) ?? mutated;
  return mutated;
}

function splice(text: string, choose: Choose, length: number, inserted: string): string {
  const at = choose(text.length + 1);
  return text.slice(0, at) + inserted + text.slice(at + length);
}

function onLines(patch: string, choose: Choose, change: (lines: string[], at: number) => void): string {
  const lines = patch.split("\n");
  change(lines, choose(lines.length));
  return lines.join("\n");
}
