import { isHoldfastError } from "holdfast";
import { openDirectory } from "holdfast/node";

// Opens a folder as another user, reads and writes, and tells the answers.
const [root = "", uid = "65534"] = process.argv.slice(2);

process.setgid?.(Number(uid));
process.setuid?.(Number(uid));
try {
  const workspace = await openDirectory(root, { lockTimeoutMs: 0 });
  await workspace.write("new.txt", "new\n");
  process.stdout.write("written\n");
} catch (error) {
  if (!isHoldfastError(error)) throw error;
  process.stdout.write(
    `${JSON.stringify({ code: error.code, written: error.written, message: error.message })}\n`,
  );
}
