import * as z from "zod";
import type { Resolutions } from "../tree/resolution.ts";
import { contentSchema } from "./content.ts";

const sideSchema = z.enum(["base", "current", "incoming"]);

const regionResolutionSchema = z.union([sideSchema, z.strictObject({ content: z.string() })], {
  error: 'must be "base", "current", "incoming" or { content }',
});

/** How one conflict is resolved. */
export const resolutionSchema = z.union(
  [
    z.strictObject({ take: sideSchema.describe("As this side has it.") }),
    z.strictObject({ content: contentSchema.describe("The whole new content.") }),
    z.strictObject({ delete: z.literal(true).describe("The file goes.") }),
    z.strictObject({
      regions: namesTo(regionResolutionSchema).describe("A side or other whole lines for each region."),
    }),
  ],
  { error: "must be { take }, { content }, { delete: true } or { regions }" },
);

/** Resolutions by the path of the conflict. */
export const resolutionsSchema: z.ZodType<Resolutions> = namesTo(resolutionSchema);

/** Checks every value of an object. By hand: zod's own records drop the name `__proto__`, which here is a name like any other. */
function namesTo<T>(schema: z.ZodType<T>): z.ZodType<Readonly<Record<string, T>>> {
  return z
    .custom<Readonly<Record<string, unknown>>>(
      (value) => typeof value === "object" && value !== null && !Array.isArray(value),
      { error: "must be an object" },
    )
    .transform((given, context): Readonly<Record<string, T>> => {
      const entries: [string, T][] = [];
      for (const [name, value] of Object.entries(given)) {
        const checked = schema.safeParse(value);
        if (checked.success) entries.push([name, checked.data]);
        else
          for (const issue of checked.error.issues)
            context.addIssue({ ...issue, path: [name, ...issue.path], input: value } as never);
      }
      return Object.fromEntries(entries);
    });
}
