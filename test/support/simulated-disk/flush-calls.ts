import fs from "node:fs";

const folder = new URL("../../../src/storage/directory/", import.meta.url);

/** Where a function or a method begins. */
const beginning = /^(?:export )?(?:async )?function\*? (\w+)|^ {2}(?:async )?\*?(#?\w+)(?:<.*>)?\(.*\{$/;

/** Lines that call nothing: comments, and members of interfaces. */
const silent = /^\s*(?:\/?\*|\/\/)|^ {2}\w+\(.*\): .*;$/;

/** Tells from the sources how many calls that flush each function has. @param flushing - What they call; its own calls are not told. */
export function readFlushCalls(flushing: ReadonlySet<string>): ReadonlyMap<string, number> {
  const call = new RegExp(`(?<![\\w#])(?:${[...flushing].join("|")})\\(`, "g");
  const calls = new Map<string, number>();
  for (const file of fs.readdirSync(folder).filter((name) => name.endsWith(".ts"))) {
    const text = fs.readFileSync(new URL(file, folder), "utf8");
    let name = "";
    let offset = 0;
    for (const line of text.split("\n")) {
      const begins = beginning.exec(line);
      if (begins !== null) name = begins[1] ?? begins[2] ?? "";
      else if (!silent.test(line) && !flushing.has(name))
        for (const { index } of line.matchAll(call))
          if (!saysFalse(text.slice(offset + index))) calls.set(name, (calls.get(name) ?? 0) + 1);
      offset += line.length + 1;
    }
  }
  return calls;
}

/** Whether a call is told not to flush. */
function saysFalse(text: string): boolean {
  let depth = 0;
  let end = text.indexOf("(");
  do {
    if (text[end] === "(") depth += 1;
    else if (text[end] === ")") depth -= 1;
    end += 1;
  } while (depth > 0 && end < text.length);
  return /,\s*false\s*[,)]/.test(text.slice(0, end));
}
