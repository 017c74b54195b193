import { openDirectory } from "holdfast/node";

// Changes every file of the folder in one call, and is killed while it does.
const [root = "", count = "0"] = process.argv.slice(2);
const workspace = await openDirectory(root);
const paths = Array.from({ length: Number(count) }, (_, index) => `file-${index}.txt`);
await workspace.apply(
  paths.map((path) => ({
    action: "edit" as const,
    path,
    edits: [{ op: "replace_text" as const, oldText: "old", newText: "new" }],
  })),
  { idempotencyKey: "rename-everything" },
);
await workspace.close();
