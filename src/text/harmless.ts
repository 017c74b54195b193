/** Spells out what could drive a terminal or deceive a reader; tabs and the line ends LF and CRLF stay. */
export function harmless(text: string): string {
  return text.replace(/(?![\t\n])(?!\r\n)[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}]/gu, (character) => {
    const code = character.codePointAt(0) ?? 0;
    return code < 0x100 ? `\\x${code.toString(16).padStart(2, "0")}` : `\\u{${code.toString(16)}}`;
  });
}
