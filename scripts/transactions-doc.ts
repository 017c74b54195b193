// Writes the tables of docs/concepts/transactions.md from the table of states: `npm run docs:transactions`.
import { readFileSync, writeFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import {
  answerTo,
  type TransactionAnswer,
  type TransactionCall,
  type TransactionCallKind,
  type TransactionEvent,
  transactionCalls,
  transactionEvents,
  transactionStates,
} from "../src/core/transaction-states.ts";
import type { TransactionState } from "../src/schema/transaction-info.ts";

const states = Object.keys(transactionStates) as TransactionState[];
const events = Object.entries(transactionEvents) as [TransactionEvent, string][];
const calls = Object.keys(transactionCalls) as TransactionCall[];

const start =
  "<!-- Generated from src/core/transaction-states.ts by `npm run docs:transactions`. Do not edit. -->";
const end = "<!-- End of what is generated. -->";

/** Puts the tables that the code gives between the marks of the page; everything else stays. */
export function renderTransactionsDoc(page: string): string {
  const from = page.indexOf(start);
  const to = page.indexOf(end);
  if (from < 0 || to < from) throw new Error("The page has no place for the tables.");
  const tables = [stateTable(), callTable()].join("\n\n");
  return `${page.slice(0, from)}${start}\n\n${tables}\n\n${page.slice(to)}`;
}

function stateTable(): string {
  const rows = states.flatMap((state) => {
    const { meaning, next } = transactionStates[state];
    const moves = events.flatMap(([event, when]) => {
      const after = next[event];
      return after === undefined || after === state ? [] : [`${when}: \`${after}\``];
    });
    return [[`\`${state}\``, meaning, moves.length === 0 ? "–" : moves.join("<br>")]];
  });
  return table(["state", "means", "and becomes, when"], rows);
}

function callTable(): string {
  const kinds = new Set<TransactionCallKind>(Object.values(transactionCalls));
  const rows = [...kinds].map((kind) => {
    const members = calls.filter((call) => transactionCalls[call] === kind);
    const answers = states.map((state) => sayAnswer(answerTo(state, members[0] as TransactionCall)));
    return [members.map((call) => `\`${call}\``).join(", "), ...answers];
  });
  return table(["call", ...states.map((state) => `\`${state}\``)], rows);
}

function sayAnswer(answer: TransactionAnswer): string {
  if (answer === "allowed") return "yes";
  if (answer === "lastKnown") return "what was so last";
  if (answer === "sameOutcome") return "the same outcome again";
  return `\`${answer}\``;
}

function table(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const line = (cells: readonly string[]) => `| ${cells.join(" | ")} |`;
  return [line(head), line(head.map(() => "---")), ...rows.map(line)].join("\n");
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const page = fileURLToPath(new URL("../docs/concepts/transactions.md", import.meta.url));
  writeFileSync(page, renderTransactionsDoc(readFileSync(page, "utf8")));
}
