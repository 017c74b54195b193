import { describe, expect, it } from "vitest";
import * as z from "zod";
import { flattenUnion, memberShape } from "../../../src/mcp/flatten-union.ts";

const union = z.discriminatedUnion("kind", [
  z.strictObject({ kind: z.literal("a"), size: z.int().describe("How big."), note: z.string().optional() }),
  z.strictObject({ kind: z.enum(["b", "c"]), size: z.int(), bytes: z.union([z.string(), z.number()]) }),
]);

const flat = flattenUnion(union, {
  discriminator: "kind",
  values: ["a", "b"],
  describe: "Fields:",
  fields: { bytes: z.string().describe("As text."), extra: z.boolean() },
});

describe("flattenUnion", () => {
  it("puts every field of the chosen members into one object, with the given ones in their place", () => {
    expect(z.toJSONSchema(flat, { io: "input" })).toMatchObject({
      type: "object",
      required: ["kind"],
      additionalProperties: false,
      properties: {
        kind: { enum: ["a", "b"], description: "Fields: a: size [note]; b: size, bytes." },
        size: { type: "integer", description: "How big." },
        note: { type: "string" },
        bytes: { type: "string", description: "As text." },
        extra: { type: "boolean" },
      },
    });
  });

  it("leaves out kinds that are not to be published", () => {
    expect(flat.safeParse({ kind: "c" }).success).toBe(false);
    expect(flat.safeParse({ kind: "b" }).success).toBe(true);
  });
});

describe("memberShape", () => {
  it("gives the fields of the member that a value chooses, and none for others", () => {
    expect(Object.keys(memberShape(union, "kind", "c"))).toEqual(["kind", "size", "bytes"]);
    expect(memberShape(union, "kind", "d")).toEqual({});
  });
});
