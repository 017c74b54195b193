import { describe, expect, it } from "vitest";
import * as z from "zod";
import {
  changeActions,
  changeInputSchema,
  editOps,
  flatChangeSchema,
  flatEditSchema,
} from "../../../src/mcp/change-input.ts";
import { memberShape } from "../../../src/mcp/flatten-union.ts";
import { changeSchema, editSchema } from "../../../src/schema/change.ts";

function fieldsOf(
  union: z.ZodDiscriminatedUnion,
  name: string,
  values: readonly string[],
): readonly string[] {
  const all = values.flatMap((value) => Object.keys(memberShape(union, name, value)));
  return [...new Set(all)].sort();
}

function valuesOf(union: z.ZodDiscriminatedUnion, name: string): readonly unknown[] {
  return (union.options as readonly z.ZodObject[]).flatMap(({ shape }) => {
    const field = shape[name] as z.ZodLiteral | z.ZodEnum;
    return field instanceof z.ZodEnum ? field.options : [...field.values];
  });
}

describe("the flat schemas", () => {
  it("have every field of every kind of edit, and no other", () => {
    expect(Object.keys(flatEditSchema.shape).sort()).toEqual(fieldsOf(editSchema, "op", editOps));
  });

  it("have every field of every kind of change, and one that stands for a revision of null", () => {
    const fields = fieldsOf(changeSchema, "action", changeActions);
    expect(Object.keys(flatChangeSchema.shape).sort()).toEqual([...fields, "absent"].sort());
  });

  it("know every kind of edit, and every kind of change that tools can make", () => {
    expect([...editOps].sort()).toEqual(valuesOf(editSchema, "op").toSorted());
    const folders = ["moveTree", "deleteTree"];
    expect([...changeActions, ...folders].sort()).toEqual(valuesOf(changeSchema, "action").toSorted());
  });

  it("need only what chooses the kind", () => {
    expect(flatEditSchema.safeParse({ op: "append" }).success).toBe(true);
    expect(flatChangeSchema.safeParse({ action: "edit" }).success).toBe(true);
    expect(flatChangeSchema.safeParse({}).success).toBe(false);
    expect(changeInputSchema.safeParse({ changes: [], more: 1 }).success).toBe(false);
  });

  it("say which fields each kind takes", () => {
    expect(flatEditSchema.shape["op"]?.description).toContain("delete: startLine [endLine]");
    expect(flatChangeSchema.shape["action"]?.description).toContain(
      "edit: path, edits [revision, encoding, executable]",
    );
  });
});
