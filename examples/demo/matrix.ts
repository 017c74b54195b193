import { doorNames, laterDoors } from "./doors.ts";

/** One thing that was tried, and what was found. */
export interface Row {
  readonly door: string;
  readonly tried: string;
  readonly found: string;
  /** Whether the promise held; left out where something else is shown for contrast. */
  readonly holds?: boolean;
}

/** A promise, and how it is put to the test; the rows come as they are found. */
export interface Trial {
  readonly id: string;
  readonly title: string;
  readonly run: (tree: string) => AsyncIterable<Row>;
}

const columns = { door: 13, tried: 50, found: 42 };

/** Prints the heading of a promise. */
export function printTitle({ id, title }: Trial): void {
  console.log(`\n${id}  ${title}`);
}

/** Prints one row in fixed columns. */
export function printRow({ door, tried, found, holds }: Row): void {
  const verdict = holds === undefined ? "(contrast)" : holds ? "holds" : "BROKEN";
  console.log(
    `    ${door.padEnd(columns.door)} ${tried.padEnd(columns.tried)} ${found.padEnd(columns.found)} ${verdict}`,
  );
}

/** Prints a cell for each promise and door, and says whether every promise held through every door. */
export function printMatrix(
  results: readonly { readonly trial: Trial; readonly rows: readonly Row[] }[],
): boolean {
  const doors = [...doorNames, "read_file"];
  const cells = (values: readonly string[]) =>
    values.map((value, index) => value.padEnd(Math.max(6, (doors[index] ?? "").length))).join("  ");
  console.log(`\n    ${"".padEnd(34)}${cells(doors)}`);
  for (const { trial, rows } of results) {
    const marks = doors.map((door) =>
      markOf(rows.filter((row) => row.door === door && row.holds !== undefined)),
    );
    console.log(`    ${`${trial.id} ${trial.title.split(":")[0]}`.padEnd(34)}${cells(marks)}`);
  }
  console.log(`\n    Not there yet: ${laterDoors.join(", ")}.`);
  const judged = results.flatMap(({ rows }) => rows.filter(({ holds }) => holds !== undefined));
  const broken = judged.filter(({ holds }) => holds === false).length;
  const missing = results.filter(({ rows }) => !rows.some(({ holds }) => holds === true)).length;
  const verdict = broken + missing === 0 ? "every promise holds" : `${broken} BROKEN`;
  console.log(`    ${judged.length} trials through ${doors.length} doors: ${verdict}.`);
  return broken + missing === 0;
}

function markOf(rows: readonly Row[]): string {
  if (rows.length === 0) return "-";
  return rows.every(({ holds }) => holds === true) ? "holds" : "BROKEN";
}
