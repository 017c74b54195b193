// Adds up vitest JSON reports and, with --checks <file>, lines "pass <name>" or "fail <name>".
// Prints "N passed, N failed, N skipped" alone on its last line, and fails when a report is missing or anything failed.
import { readFileSync } from "node:fs";

/** Counts one vitest report; a file that did not load, or an error outside of any test, counts as one failure. */
export function countReport(report) {
  const counts = {
    passed: report.numPassedTests,
    failed: report.numFailedTests,
    skipped: report.numPendingTests + report.numTodoTests,
  };
  for (const file of report.testResults) {
    const hasFailedTest = file.assertionResults.some((test) => test.status === "failed");
    if (file.status === "failed" && !hasFailedTest) counts.failed += 1;
  }
  if (report.success !== true && counts.failed === 0) counts.failed += 1;
  if (counts.passed === 0 && counts.failed === 0) counts.failed += 1;
  return counts;
}

/** Counts the lines of a checks file. */
export function countChecks(text) {
  const lines = text.split("\n").filter((line) => line !== "");
  const passed = lines.filter((line) => line.startsWith("pass ")).length;
  return { passed, failed: lines.length - passed, skipped: 0 };
}

/** Reads all reports of a command line; whatever cannot be read counts as one failure. */
export function summarize(args, read = (file) => readFileSync(file, "utf8")) {
  const total = { passed: 0, failed: 0, skipped: 0 };
  const problems = [];
  const queue = [...args];
  let sources = 0;
  while (queue.length > 0) {
    const argument = queue.shift();
    const isChecks = argument === "--checks";
    const file = isChecks ? queue.shift() : argument;
    sources += 1;
    try {
      const counts = isChecks ? countChecks(read(file)) : countReport(JSON.parse(read(file)));
      for (const key of Object.keys(total)) total[key] += counts[key];
    } catch (error) {
      total.failed += 1;
      problems.push(`${file}: ${error.message}`);
    }
  }
  if (sources === 0) {
    total.failed += 1;
    problems.push("No report was named.");
  }
  return { total, problems };
}

if (process.argv[1]?.endsWith("test-summary.mjs")) {
  const { total, problems } = summarize(process.argv.slice(2));
  for (const problem of problems) console.error(problem);
  console.log(`${total.passed} passed, ${total.failed} failed, ${total.skipped} skipped`);
  if (total.failed > 0) process.exitCode = 1;
}
