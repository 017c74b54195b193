import { open, rename, unlink } from "node:fs/promises";

let count = 0;

/** What a careful program does without a library: a temporary file beside the target, flushed, then renamed over it. */
export async function replaceByHand(path, bytes) {
  const temporary = `${path}.${process.pid}.${count++}.tmp`;
  try {
    const file = await open(temporary, "wx", 0o644);
    try {
      await file.writeFile(bytes);
      await file.sync();
    } finally {
      await file.close();
    }
    await rename(temporary, path);
  } catch (error) {
    await unlink(temporary).catch(() => {});
    throw error;
  }
}
