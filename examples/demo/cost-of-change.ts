import { execFile } from "node:child_process";
import { promisify } from "node:util";
import { doorNames } from "./doors.ts";
import type { Row } from "./matrix.ts";
import { compileProgram } from "./programs.ts";
import { withFolder } from "./trees.ts";

const sizes = [100, 5000] as const;

/** P7: what one edit costs in a small tree and in one that is fifty times as large. */
export async function* costOfChange(): AsyncIterable<Row> {
  const program = compileProgram("count-operations");
  const [small, large] = await Promise.all(sizes.map((size) => countIn(size, program)));
  for (const door of doorNames) {
    const [few, many] = [small?.[door] ?? 0, large?.[door] ?? 0];
    const ratio = many / few;
    yield {
      door,
      tried: `file operations of one edit, ${sizes.join(" and ")} files`,
      found: `${few} and ${many}, ratio ${ratio.toFixed(2)} (at most 3)`,
      holds: few > 0 && ratio <= 3,
    };
  }
}

async function countIn(size: number, program: string): Promise<Readonly<Record<string, number>>> {
  const entries = Array.from({ length: size }, (_, index) => [
    `folder-${index % 50}/file-${index}.txt`,
    `value ${index}\n`,
  ]);
  return await withFolder(Object.fromEntries(entries) as Record<string, string>, async (root) => {
    const { stdout } = await promisify(execFile)(process.execPath, [program, root]);
    return JSON.parse(stdout) as Record<string, number>;
  });
}
