import * as z from "zod";

/** How the members of a union become one object. */
export interface FlattenOptions {
  /** The field whose value chooses the member. */
  readonly discriminator: string;
  /** Values of it that are published. */
  readonly values: readonly string[];
  /** Text of the field that chooses, put before the fields that each value takes. */
  readonly describe: string;
  /** Fields that are published otherwise than in the members, or not at all in them. */
  readonly fields?: Readonly<Record<string, z.ZodType>> | undefined;
}

/**
 * Makes one flat object of a union: the field that chooses, and every field of any member as an optional one. Some hosts lose their whole list
 * of tools over a union at any depth.
 */
export function flattenUnion(union: z.ZodDiscriminatedUnion, options: FlattenOptions): z.ZodObject {
  const { discriminator, values, fields = {} } = options;
  const shape: Record<string, z.ZodType> = {};
  for (const value of values) {
    for (const [name, schema] of Object.entries(memberShape(union, discriminator, value))) {
      if (name !== discriminator) shape[name] ??= (fields[name] ?? plain(schema)).optional();
    }
  }
  for (const [name, schema] of Object.entries(fields)) shape[name] ??= schema.optional();
  const uses = values.map((value) =>
    sayFields(memberShape(union, discriminator, value), discriminator, value),
  );
  const chosen = z.enum(values as [string, ...string[]]).describe(`${options.describe} ${uses.join("; ")}.`);
  return z.strictObject({ [discriminator]: chosen, ...shape });
}

/** The fields of the member that a value chooses; none for a value that no member has. */
export function memberShape(
  union: z.ZodDiscriminatedUnion,
  discriminator: string,
  value: unknown,
): Readonly<Record<string, z.ZodType>> {
  const members = union.options as readonly z.ZodObject[];
  const member = members.find(({ shape }) => (shape[discriminator] as z.ZodType).safeParse(value).success);
  return (member?.shape ?? {}) as Readonly<Record<string, z.ZodType>>;
}

function plain(schema: z.ZodType): z.ZodType {
  if (!(schema instanceof z.ZodOptional)) return schema;
  const inner = schema.unwrap() as z.ZodType;
  return schema.description === undefined ? inner : inner.describe(schema.description);
}

/** For instance `edit: path, edits [revision]`: needed fields, then those that may be left out. */
function sayFields(shape: Readonly<Record<string, z.ZodType>>, discriminator: string, value: string): string {
  const names = Object.keys(shape).filter((name) => name !== discriminator);
  const isOptional = (name: string) => shape[name] instanceof z.ZodOptional;
  const needed = names.filter((name) => !isOptional(name)).join(", ");
  const others = names.filter(isOptional).join(", ");
  return `${value}: ${needed}${others === "" ? "" : ` [${others}]`}`;
}
