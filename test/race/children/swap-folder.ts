import * as fs from "node:fs";

// Gives a folder's name to a link and back, as often as is said; a line of output for each thousand. Ends with the folder in its place.
const [folder = "", aside = "", target = "", count = "0"] = process.argv.slice(2);

/** Somebody may make a folder of the name meanwhile. */
function putAt(from: string, to: string): void {
  for (;;) {
    try {
      fs.renameSync(from, to);
      return;
    } catch {
      try {
        fs.rmSync(to, { recursive: true, force: true });
      } catch {
        // It is being filled.
      }
    }
  }
}

const link = `${aside}-link`;
fs.symlinkSync(target, link);
for (let swap = 1; swap <= Number(count); swap++) {
  fs.renameSync(folder, aside);
  putAt(link, folder);
  // The link stands for as long as the folder does.
  for (let look = 0; look < 20; look++) fs.lstatSync(folder);
  fs.renameSync(folder, link);
  putAt(aside, folder);
  for (let look = 0; look < 20; look++) fs.lstatSync(folder);
  if (swap % 1000 === 0) process.stdout.write(`${swap}\n`);
}
fs.unlinkSync(link);
