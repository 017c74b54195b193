/** How loosely the lines of a hunk are compared with those of the file; the first grade at which the whole hunk is found is taken. */
export type ContextGrade = "exact" | "trailingSpace" | "indent" | "lookalike";

/** Writes a line so that two lines that a grade takes for equal are written alike. */
export type LineFold = (line: string) => string;

const trimEnd: LineFold = (line) => {
  let end = line.length;
  while (end > 0 && isBlank(line.charCodeAt(end - 1))) end--;
  return end === line.length ? line : line.slice(0, end);
};

/** Leaves out the white space at both ends of a line. */
export const trimBoth: LineFold = (line) => trimEnd(line.slice(indentOf(line).length));

/** The grades in the order in which they are tried. */
export const grades: readonly (readonly [ContextGrade, LineFold])[] = [
  ["exact", (line) => line],
  ["trailingSpace", trimEnd],
  ["indent", trimBoth],
  ["lookalike", (line) => trimEnd(foldLookalikes(line))],
];

function foldLookalikes(line: string): string {
  if (/^\p{ASCII}*$/u.test(line)) return line;
  return line
    .replace(/[\u2018-\u201b\u2032\u00b4\u02b9\u02bc]/g, "'")
    .replace(/[\u201c-\u201f\u2033\u00ab\u00bb\u02ba]/g, '"')
    .replace(/[\u2010-\u2015\u2212\u00ad]/g, "-")
    .replace(/[\u00a0\u2000-\u200a\u202f\u205f\u3000]/g, " ");
}

/** The blanks and tabs at the start of a line. */
export function indentOf(line: string): string {
  let end = 0;
  while (end < line.length && isBlank(line.charCodeAt(end))) end++;
  return line.slice(0, end);
}

/** Blank, tab, vertical tab, form feed and carriage return: white space of ASCII that ends no line. */
function isBlank(code: number): boolean {
  return code === 32 || code === 9 || (code >= 11 && code <= 13);
}
