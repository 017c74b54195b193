/** The known name that a wrong one was most likely meant to be, or `undefined` when none is near. */
export function nearestName(wrong: string, known: readonly string[]): string | undefined {
  const plain = plainForm(wrong);
  let best: string | undefined;
  let bestDistance = Math.max(1, Math.floor(plain.length / 3)) + 1;
  for (const name of known) {
    const distance = editDistance(plain, plainForm(name));
    if (distance < bestDistance) [best, bestDistance] = [name, distance];
  }
  return best;
}

/** Spellings that differ only in case and separators are the same name. */
function plainForm(name: string): string {
  return name
    .slice(0, 64)
    .replaceAll(/[_\-\s]/g, "")
    .toLowerCase();
}

/** Levenshtein distance: insertions, deletions and replacements of one character. */
function editDistance(a: string, b: string): number {
  let row = Array.from({ length: b.length + 1 }, (_, index) => index);
  for (let i = 1; i <= a.length; i++) {
    const next = [i];
    for (let j = 1; j <= b.length; j++) {
      const replaced = (row[j - 1] ?? 0) + (a[i - 1] === b[j - 1] ? 0 : 1);
      next.push(Math.min(replaced, (row[j] ?? 0) + 1, (next[j - 1] ?? 0) + 1));
    }
    row = next;
  }
  return row[b.length] ?? 0;
}
