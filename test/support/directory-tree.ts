import * as fs from "node:fs";
import { join } from "node:path";

/** Every file of a folder with its bytes as text and its mode, and every empty folder; the state folder left out. */
export function readTree(root: string, under = ""): Record<string, string> {
  const tree: Record<string, string> = {};
  const names = fs.readdirSync(join(root, under)).filter((name) => under !== "" || name !== ".holdfast");
  if (names.length === 0 && under !== "") tree[`${under}/`] = "empty folder";
  for (const name of names) {
    const path = under === "" ? name : `${under}/${name}`;
    const status = fs.lstatSync(join(root, path));
    if (status.isDirectory()) Object.assign(tree, readTree(root, path));
    else if (status.isSymbolicLink()) tree[path] = `link to ${fs.readlinkSync(join(root, path))}`;
    else tree[path] = `${(status.mode & 0o777).toString(8)} ${fs.readFileSync(join(root, path), "latin1")}`;
  }
  return tree;
}

/** Names that should be gone once a storage is open: temporary files, and pre-images of commits that never were. */
export function leftovers(root: string): readonly string[] {
  const files = (folder: string) =>
    fs
      .readdirSync(join(root, ".holdfast", folder), { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile());
  return ["tmp", "staged"].flatMap((folder) => files(folder).map(({ name }) => `${folder}/${name}`));
}

/** Writes files as another program would. */
export function writeTree(
  root: string,
  files: Readonly<Record<string, string | { readonly text: string; readonly mode: number }>>,
): void {
  for (const [path, content] of Object.entries(files)) {
    const at = join(root, path);
    fs.mkdirSync(join(at, ".."), { recursive: true });
    const { text, mode } = typeof content === "string" ? { text: content, mode: 0o644 } : content;
    fs.writeFileSync(at, text, "latin1");
    fs.chmodSync(at, mode);
  }
}
