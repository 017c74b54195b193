import { mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";

/** Five hundred lines of about forty bytes each, no two files alike. */
export function makeLines(file, count = 500) {
  return Array.from(
    { length: count },
    (_, line) => `const value_${file}_${line} = compute(${file * 31 + line}, "x");`,
  );
}

export function joinLines(lines) {
  return `${lines.join("\n")}\n`;
}

/** A fresh folder with `count` files below folders of a hundred; returns their relative paths. */
export function makeTree(root, count, contentOf) {
  rmSync(root, { recursive: true, force: true });
  mkdirSync(root, { recursive: true });
  const paths = [];
  for (let file = 0; file < count; file++) {
    const path = `dir-${Math.floor(file / 100)}/file-${file}.ts`;
    if (file % 100 === 0) mkdirSync(dirname(join(root, path)), { recursive: true });
    writeFileSync(join(root, path), contentOf(file));
    paths.push(path);
  }
  return paths;
}

/** The ten lines of a file that round `round` replaces: spread over it, and new in every round. */
export function makeEdits(file, round, count = 10, lines = 500) {
  return Array.from({ length: count }, (_, index) => {
    const startLine = Math.floor(((index + 0.5) * lines) / count) + (round % 7);
    return {
      op: "replace",
      startLine,
      content: `const edited_${file}_${startLine} = "round ${round}, edit ${index}";`,
    };
  });
}

/** Carries out such edits on lines: what the peer is given to write. */
export function editLines(lines, edits) {
  for (const { startLine, content } of edits) lines[startLine - 1] = content;
  return Buffer.from(joinLines(lines));
}

/** Throws unless both trees hold the expected bytes. */
export function assertSame(roots, paths, expected) {
  for (const root of roots) {
    paths.forEach((path, file) => {
      const found = readFileSync(join(root, path));
      if (!found.equals(expected[file]))
        throw new Error(`${join(root, path)} does not hold the expected ${expected[file].length} bytes`);
    });
  }
}
