import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { toolLimits } from "../../../src/base/limits.ts";
import { checkChanges } from "../../../src/mcp/check-changes.ts";
import type { Edit } from "../../../src/text/edit.ts";
import type { Change } from "../../../src/tree/change.ts";

const text = fc.string({ unit: "grapheme" });
const line = fc.integer({ min: 0, max: 1000 });
const optional = <T>(arbitrary: fc.Arbitrary<T>) => fc.option(arbitrary, { nil: undefined });

/** An object without the fields that are undefined, as it would come over the wire. */
function record<T extends object>(fields: { [Name in keyof T]: fc.Arbitrary<T[Name]> }): fc.Arbitrary<T> {
  return fc.record(fields).map((value) => JSON.parse(JSON.stringify(value)) as T);
}

const edits: fc.Arbitrary<Edit[]> = fc.array(
  fc.oneof(
    record({ op: fc.constant("replace" as const), startLine: line, endLine: optional(line), content: text }),
    record({ op: fc.constant("delete" as const), startLine: line, endLine: optional(line) }),
    record({ op: fc.constantFrom("insert_after" as const, "insert_before" as const), line, content: text }),
    record({ op: fc.constant("append" as const), content: text }),
    record({
      op: fc.constant("replace_text" as const),
      oldText: text,
      newText: text,
      occurrences: optional(fc.integer({ min: 1, max: 9 })),
      replaceAll: optional(fc.boolean()),
    }),
  ),
  { maxLength: 4 },
);

const revision = optional(fc.constant("0123456789abcdef"));
const executable = optional(fc.boolean());
const encoding = optional(fc.constant("latin1" as const));

const changes: fc.Arbitrary<Change[]> = fc.array(
  fc.oneof(
    record({ action: fc.constant("create" as const), path: text, content: text, encoding, executable }),
    record({
      action: fc.constant("write" as const),
      path: text,
      content: text,
      revision,
      encoding,
      executable,
    }),
    record({ action: fc.constant("edit" as const), path: text, edits, revision, encoding, executable }),
    record({ action: fc.constant("delete" as const), path: text, revision }),
    record({
      action: fc.constantFrom("move" as const, "copy" as const),
      path: text,
      destination: text,
      revision,
      destinationRevision: revision,
      edits: optional(edits),
      executable,
    }),
    record({ action: fc.constant("chmod" as const), path: text, revision, executable: fc.boolean() }),
    record({
      action: fc.constant("assert" as const),
      path: text,
      revision: fc.constantFrom("0123456789abcdef", null),
    }),
  ),
  { maxLength: 5 },
);

/** How the published schema says that a path must not exist. */
function flat(change: Change): object {
  if (change.action !== "assert" || change.revision !== null) return change;
  return { action: "assert", path: change.path, absent: true };
}

/** A field name as programs in other languages write it. */
function snakeCase(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(snakeCase);
  if (typeof value !== "object" || value === null) return value;
  const name = (key: string) => key.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
  return Object.fromEntries(Object.entries(value).map(([key, inner]) => [name(key), snakeCase(inner)]));
}

describe("checkChanges", () => {
  it("gives every change that a tool can make as it was given", () => {
    void fc.assert(
      fc.property(changes, (given) => {
        expect(checkChanges({ changes: given.map(flat) }, toolLimits).changes).toEqual(given);
      }),
    );
  });

  it("understands the same in snake case", () => {
    void fc.assert(
      fc.property(changes, (given) => {
        const input = snakeCase({ changes: given.map(flat), dryRun: true, idempotencyKey: "k" });
        const checked = checkChanges(input, toolLimits);
        expect(checked).toEqual({ changes: given, options: { dryRun: true, idempotencyKey: "k" } });
      }),
    );
  });
});
