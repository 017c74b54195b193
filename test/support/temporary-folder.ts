import * as fs from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

/** Memory where there is some: flushes cost nothing there, and only a simulated machine stops in these tests. */
const quickest = fs.existsSync("/dev/shm") ? "/dev/shm" : tmpdir();

/** Makes a folder for one test; `quick` where no flush has to reach a disk. Call `remove` at its end. */
export function temporaryFolder(where: "disk" | "quick" = "disk"): {
  readonly path: string;
  readonly remove: () => void;
} {
  const path = fs.mkdtempSync(
    join(where === "quick" ? quickest : fs.realpathSync(tmpdir()), "holdfast-test-"),
  );
  return { path, remove: () => fs.rmSync(path, { recursive: true, force: true }) };
}
