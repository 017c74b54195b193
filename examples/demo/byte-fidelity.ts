import { chmod, readFile, stat } from "node:fs/promises";
import { join } from "node:path";
import { openDirectory } from "holdfast/node";
import { doorNames, replaceThrough } from "./doors.ts";
import type { Row } from "./matrix.ts";
import { withFolder } from "./trees.ts";

const latin1 = (text: string) => Buffer.from(text, "latin1");
const marked = "\xEF\xBB\xBF";

/** Files that edits are known to harm; each holds the word that is edited once. */
const files: Readonly<Record<string, Buffer>> = {
  "crlf.txt": latin1("first\r\nold word\r\nlast\r\n"),
  "mixed-ends.txt": latin1("first\nold word\r\nlone \r here\nlast\r\n"),
  "byte-order-mark.txt": latin1(`${marked}first\nold word\nlast\n`),
  "latin-1.txt": latin1("caf\xE9 \xFC\nold word\nna\xEFve\n"),
  "broken-utf-8.txt": latin1("\xC3\xA9 and \xC3\nold word\n\xFF\n"),
  "no-final-newline.txt": latin1("first\nold word\nlast"),
  "form-feed.txt": latin1("a\fb\x0b\nold word\nc\x85d\n"),
  "run-bit.sh": latin1("#!/bin/sh\n# old word\nexit 0\n"),
};

/** P4: an edit elsewhere in files of every odd kind, compared byte by byte. */
export async function* byteFidelity(): AsyncIterable<Row> {
  for (const door of doorNames) {
    yield await withFolder(files, async (root) => {
      await chmod(join(root, "run-bit.sh"), 0o755);
      await using workspace = await openDirectory(root);
      const harmed: string[] = [];
      for (const [path, before] of Object.entries(files)) {
        const answer = await replaceThrough(door, workspace, [{ path, oldText: "old word", newText: "new" }]);
        const after = await readFile(join(root, path));
        const at = before.indexOf("old word");
        const isSame =
          after.subarray(0, at).equals(before.subarray(0, at)) &&
          after.subarray(at, at + 3).equals(latin1("new")) &&
          after.subarray(at + 3).equals(before.subarray(at + 8));
        const mode = (await stat(join(root, path))).mode & 0o777;
        const runs = path !== "run-bit.sh" || mode === 0o755;
        if (!answer.ok || !isSame || !runs) harmed.push(path);
      }
      const count = Object.keys(files).length;
      return {
        door,
        tried: "CRLF, mixed, BOM, Latin-1, no newline, run bit …",
        found: harmed.length === 0 ? `${count} of ${count} files unharmed` : `harmed: ${harmed.join(", ")}`,
        holds: harmed.length === 0,
      };
    });
  }
}
