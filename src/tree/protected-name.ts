import { foldCase } from "./fold-case.ts";

const ignorable = /\p{Default_Ignorable_Code_Point}/gu;

/** Names that no call may touch, as every spelling of them folds, with the short names that old Windows file systems make for them. */
const protectedNames = [
  { name: ".git", alias: /^(?:git|gi[0-9a-f]{4})~\d+$/ },
  { name: ".holdfast", alias: /^(?:h|ho|hol|hold|holdf|holdfa|ho[0-9a-f]{4})~\d+$/ },
] as const;

/**
 * Says which protected name one segment of a path stands for on some file system: whatever its case, Unicode form, ignorable characters,
 * trailing dots and blanks, stream suffix or short name. `undefined` when it stands for none.
 */
export function protectedName(segment: string): ".git" | ".holdfast" | undefined {
  if (!mayFold(segment)) return undefined;
  const compatible = segment.replace(ignorable, "").normalize("NFKC").replace(ignorable, "");
  // Compatibility forms can bring separators (fullwidth solidus), so what folds is looked at piece by piece.
  for (const piece of foldCase(compatible).split(/[/\\]/)) {
    const stem = piece.replace(/:.*$/s, "").replace(/[. ]+$/, "");
    for (const { name, alias } of protectedNames) if (stem === name || alias.test(stem)) return name;
  }
  return undefined;
}

/** Plain ASCII names without dot and tilde, the great majority, can stand for nothing protected. */
function mayFold(segment: string): boolean {
  for (let index = 0; index < segment.length; index++) {
    const code = segment.charCodeAt(index);
    if (code > 0x7f || code === 0x7e || (code === 0x2e && index === 0)) return true;
  }
  return false;
}
