import { spawnSync } from "node:child_process";
import { existsSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

const here = dirname(fileURLToPath(import.meta.url));

// What is measured against has a manifest and a lock file of its own, so that nobody gets it who only works on the library.
if (!existsSync(join(here, "node_modules", "write-file-atomic"))) {
  const { status } = spawnSync(
    "npm",
    ["ci", "--prefix", here, "--ignore-scripts", "--no-audit", "--no-fund"],
    { stdio: "inherit", shell: process.platform === "win32" },
  );
  if (status !== 0) process.exitCode = 1;
}
