// Writes docs/errors.md from the table of error codes: `npm run docs:errors`.
import { writeFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { type ErrorCodeEntry, errorCategories } from "../src/base/error-code-entry.ts";
import { errorCodes } from "../src/base/error-codes.ts";

const categoryMeanings: Readonly<Record<(typeof errorCategories)[number], string>> = {
  security: "The call would leave what it may touch.",
  permission: "The call is understood, but not allowed here.",
  validation: "The call itself must change.",
  notFound: "What the call names is not there.",
  conflict: "Something moved since the caller looked.",
  limit: "The call is larger than a limit allows.",
  unavailable: "The storage or the workspace cannot serve the call now.",
  internal: "A fault in the library or in the program around it.",
};

const retryMeanings: Readonly<Record<ErrorCodeEntry["retry"], string>> = {
  never: "no",
  same: "the same call again",
  refresh: "after reading anew",
  change: "with other arguments",
};

/** Renders the page about error codes from the table that the library itself uses. */
export function renderErrorsDoc(codes: Readonly<Record<string, ErrorCodeEntry>> = errorCodes): string {
  const sections = errorCategories.flatMap((category) => {
    const members = Object.entries(codes).filter(([, entry]) => entry.category === category);
    if (members.length === 0) return [];
    return [`## ${category}`, "", categoryMeanings[category], "", ...members.flatMap(renderCode)];
  });
  return [
    "# Errors",
    "",
    "<!-- Generated from src/base/error-codes.ts by `npm run docs:errors`. Do not edit. -->",
    "",
    "Every refusal is a `HoldfastError` with one of these codes. Codes keep their meaning; messages may change.",
    "When one batch has several problems, all are in `problems`, and the error's own code is the first of them in the",
    "order of the categories on this page.",
    "",
    ...sections,
  ]
    .join("\n")
    .replace(/\n+$/, "\n");
}

function renderCode([code, entry]: [string, ErrorCodeEntry]): readonly string[] {
  const tools =
    entry.next.tools === undefined ? "" : ` (${entry.next.tools.map((tool) => `\`${tool}\``).join(", ")})`;
  return [
    `### ${code}`,
    "",
    entry.meaning,
    "",
    `- Retry: ${retryMeanings[entry.retry]} (\`${entry.retry}\`)`,
    `- Next step${tools}: ${entry.next.instruction}`,
    "",
  ];
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  writeFileSync(fileURLToPath(new URL("../docs/errors.md", import.meta.url)), renderErrorsDoc());
}
