/**
 * Maps texts that differ only in case to one text, at least as widely as file systems do: `ß`, `ẞ` and `ss` are one, so are the sigmas, the
 * Kelvin sign and `k`, and the dotted, dotless and plain `i`.
 */
export function foldCase(text: string): string {
  // Lower case first, so that capitals without a two-letter upper case (ẞ) reach the letters that have one (ß → SS).
  return text
    .normalize("NFD")
    .toLowerCase()
    .toUpperCase()
    .toLowerCase()
    .replaceAll("ς", "σ")
    .replaceAll("i\u0307", "i")
    .normalize("NFC");
}
