/** Says whether two byte strings are equal. */
export function equalBytes(a: Uint8Array, b: Uint8Array): boolean {
  if (a === b) return true;
  const { length } = a;
  if (length !== b.length) return false;
  let at = 0;
  if ((a.byteOffset & 3) === 0 && (b.byteOffset & 3) === 0) {
    const words = wordsOf(a);
    const others = wordsOf(b);
    while (at < words.length && words[at] === others[at]) at++;
    if (at < words.length) return false;
    at *= 4;
  }
  while (at < length && a[at] === b[at]) at++;
  return at === length;
}

/** The whole words of four bytes at the beginning of bytes that are aligned: what looks at all bytes is several times as fast on them. */
export function wordsOf(bytes: Uint8Array): Int32Array {
  return new Int32Array(bytes.buffer, bytes.byteOffset, bytes.length >> 2);
}

/** Joins byte strings into a new one. */
export function concatBytes(parts: readonly Uint8Array[]): Uint8Array {
  let length = 0;
  for (const part of parts) length += part.byteLength;
  const joined = new Uint8Array(length);
  let at = 0;
  for (const part of parts) {
    joined.set(part, at);
    at += part.byteLength;
  }
  return joined;
}

const encoder = new TextEncoder();

/** Encodes well-formed text as UTF-8. */
export function utf8(text: string): Uint8Array {
  return encoder.encode(text);
}
