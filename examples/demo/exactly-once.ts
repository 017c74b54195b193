import { openDirectory } from "holdfast/node";
import { doorNames, replaceThrough } from "./doors.ts";
import type { Row } from "./matrix.ts";
import { withFolder } from "./trees.ts";

/** P3: the same call with the same key, sent twice at once, once more, and once more after a restart. */
export async function* exactlyOnce(): AsyncIterable<Row> {
  for (const door of doorNames) {
    yield await withFolder({ "a.txt": "count: \n", "b.txt": "b\n" }, async (root) => {
      const workspace = await openDirectory(root);
      const { revision } = await workspace.read("a.txt");
      const content = "count: +\n";
      const change = [{ path: "a.txt", oldText: "count: ", newText: "count: +", revision, content }];
      const options = { idempotencyKey: "task-17" };
      const send = () => replaceThrough(door, workspace, change, options);
      const answers = [...(await Promise.all([send(), send()])), await send()];
      await workspace.close();
      await using reopened = await openDirectory(root);
      answers.push(await replaceThrough(door, reopened, change, options));
      const other = await replaceThrough(
        door,
        reopened,
        [{ path: "b.txt", oldText: "b", newText: "c", content: "c\n" }],
        options,
      );
      const { text } = await reopened.read("a.txt");
      const effects = text.split("+").length - 1;
      const replays = answers.filter((answer) => answer.ok && answer.replayed).length;
      const refused = !other.ok && other.code === "IDEMPOTENCY_KEY_REUSED";
      return {
        door,
        tried: "one keyed call, sent 4 times, once after restart",
        found: `${effects} effect, ${replays} replays${refused ? ", other use refused" : ""}`,
        holds: effects === 1 && replays === 3 && refused,
      };
    });
  }
}
