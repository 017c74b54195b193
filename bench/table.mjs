/** Whether a result keeps its target; `undefined` where only one side ran. */
export function isMet(result) {
  const figure = result.ratio ?? result.value;
  return figure === undefined ? undefined : figure <= result.target;
}

/** One line a result. The spread is the middle half of the ratios of the single pairs. */
export function formatTable(results) {
  const heads = ["row", "work / against", "ours", "peer", "ratio", "spread", "target", ""];
  const lines = [heads, ...results.map(cells)];
  const widths = heads.map((_, column) => Math.max(...lines.map((line) => line[column].length)));
  const text = lines.map((line) =>
    line
      .map((cell, column) => pad(cell, widths[column], column))
      .join("  ")
      .trimEnd(),
  );
  const notes = results
    .filter(({ note }) => note !== undefined)
    .map(({ row, name, note }) => `  ${row}  ${name}: ${note}`);
  return [
    text[0],
    "-".repeat(text[0].length + 6),
    ...text.slice(1),
    ...(notes.length === 0 ? [] : ["", ...notes]),
  ].join("\n");
}

function pad(cell, width, column) {
  return column >= 2 && column <= 6 ? cell.padStart(width) : cell.padEnd(width);
}

function cells(result) {
  const { row, name, target, unit, value, ours, peer, ratio, ratioOfPairs } = result;
  const verdict = { true: "met", false: "MISSED", undefined: "one side only" }[String(isMet(result))];
  const own = value === undefined ? milliseconds(ours) : `${value.toFixed(1)} ${unit}`;
  const limit = value === undefined ? `≤ ${target.toFixed(1)}` : `≤ ${target} ${unit}`;
  const spread =
    ratioOfPairs === undefined ? "" : `${ratioOfPairs.low.toFixed(2)}–${ratioOfPairs.high.toFixed(2)}`;
  return [String(row), name, own, milliseconds(peer), ratio?.toFixed(2) ?? "", spread, limit, verdict];
}

function milliseconds(side) {
  if (side?.median === undefined) return "";
  return `${side.median.toFixed(side.median < 10 ? 2 : 1)} ms`;
}
