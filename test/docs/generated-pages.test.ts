import { expect, test } from "vitest";
import { renderErrorsDoc } from "../../scripts/errors-doc.ts";
import { renderTransactionsDoc } from "../../scripts/transactions-doc.ts";
import { errorCodes } from "../../src/base/error-codes.ts";
import { transactionStates } from "../../src/core/transaction-states.ts";
import { readRepositoryFile } from "../support/source-files.ts";

test("the page about errors is what the table of codes gives", () => {
  expect(readRepositoryFile("docs/errors.md")).toBe(renderErrorsDoc());
});

test("the page about errors has one heading for each code", () => {
  const headings = [...renderErrorsDoc().matchAll(/^### ([A-Z_]+)$/gm)].map((match) => match[1]);
  expect(headings.toSorted()).toEqual(Object.keys(errorCodes).toSorted());
});

test("the tables of the page about transactions are what the table of states gives", () => {
  const page = readRepositoryFile("docs/concepts/transactions.md");
  expect(page).toBe(renderTransactionsDoc(page));
  expect(renderTransactionsDoc(page.replace("| `conflicted` |", "| damaged |"))).toBe(page);
  for (const state of Object.keys(transactionStates)) expect(page).toContain(`| \`${state}\` |`);
});

test("a page without a place for the tables of transactions is not written", () => {
  expect(() => renderTransactionsDoc("# Transactions\n")).toThrow();
});

test("what the README says to run is what the whole check runs first", () => {
  const command = "npm ci && npm test";
  expect(readRepositoryFile("README.md")).toContain(`\n${command}\n`);
  expect(readRepositoryFile(".ci/run")).toContain(`\n  ${command}\n`);
});
