import { compareText, nameOf } from "./path-parts.ts";

const longestCompared = 512;

/**
 * Finds the paths that are spelled most like a path that does not exist: up to `most`, the nearest first. A same name in another folder is near,
 * whatever the folders are called. Case counts less than letters.
 *
 * @param path - The path that was asked for.
 * @param candidates - Paths that exist; the caller bounds how many.
 * @param most - How many to give. Default: 3.
 */
export function similarPaths(path: string, candidates: Iterable<string>, most = 3): string[] {
  const found: { readonly path: string; readonly distance: number }[] = [];
  const wanted = path.slice(-longestCompared).toLowerCase();
  const wantedName = nameOf(wanted);
  const allowed = Math.max(2, Math.floor(wanted.length / 4));
  for (const candidate of candidates) {
    if (candidate === path) continue;
    const lower = candidate.slice(-longestCompared).toLowerCase();
    const worst = found.length < most ? allowed : Math.min(allowed, found[most - 1]?.distance ?? allowed);
    const sameName = nameOf(lower) === wantedName;
    const distance = sameName
      ? Math.min(1, editDistance(wanted, lower, 1))
      : editDistance(wanted, lower, worst);
    if (distance > worst) continue;
    found.push({ path: candidate, distance });
    found.sort((a, b) => a.distance - b.distance || compareText(a.path, b.path));
    if (found.length > most) found.pop();
  }
  return found.map((entry) => entry.path);
}

/** The number of characters to insert, delete, replace or swap with their neighbour; `bound + 1` when it is larger than the bound. */
function editDistance(a: string, b: string, bound: number): number {
  if (Math.abs(a.length - b.length) > bound) return bound + 1;
  let twoAgo = new Uint16Array(b.length + 1);
  let previous = Uint16Array.from({ length: b.length + 1 }, (_, index) => index);
  let current = new Uint16Array(b.length + 1);
  for (let row = 1; row <= a.length; row++) {
    current.fill(bound + 1);
    current[0] = row;
    let smallest = row;
    // Cells further than the bound from the diagonal cannot be part of a distance within it.
    const last = Math.min(b.length, row + bound);
    for (let column = Math.max(1, row - bound); column <= last; column++) {
      const cost = distanceAt(a, b, row, column, [twoAgo, previous, current]);
      current[column] = cost;
      smallest = Math.min(smallest, cost);
    }
    if (smallest > bound) return bound + 1;
    [twoAgo, previous, current] = [previous, current, twoAgo];
  }
  return Math.min(previous[b.length] ?? 0, bound + 1);
}

function distanceAt(
  a: string,
  b: string,
  row: number,
  column: number,
  [twoAgo, previous, current]: readonly [Uint16Array, Uint16Array, Uint16Array],
): number {
  const same = a.charCodeAt(row - 1) === b.charCodeAt(column - 1);
  const swapped =
    row > 1 &&
    column > 1 &&
    a.charCodeAt(row - 1) === b.charCodeAt(column - 2) &&
    a.charCodeAt(row - 2) === b.charCodeAt(column - 1);
  return Math.min(
    (previous[column - 1] ?? 0) + (same ? 0 : 1),
    (previous[column] ?? 0) + 1,
    (current[column - 1] ?? 0) + 1,
    swapped ? (twoAgo[column - 2] ?? 0) + 1 : Number.POSITIVE_INFINITY,
  );
}
