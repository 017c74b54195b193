const prefix = "base64:";

/** Shows bytes as a text, one to one: as they are when they are UTF-8, else `base64:` and their Base64. */
export function showBytes(bytes: Uint8Array): string {
  const text = decodeUtf8(bytes);
  return text === undefined || text.startsWith(prefix) ? prefix + toBase64(bytes) : text;
}

function decodeUtf8(bytes: Uint8Array): string | undefined {
  try {
    return new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    return undefined;
  }
}

function toBase64(bytes: Uint8Array): string {
  let characters = "";
  for (const byte of bytes) characters += String.fromCharCode(byte);
  return btoa(characters);
}
