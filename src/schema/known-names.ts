import * as z from "zod";

/** The field names that a schema knows for the object at a path of the input; those of the chosen member where it is a union. */
export function knownNames(
  schema: z.ZodType,
  path: readonly PropertyKey[],
  input: unknown,
): readonly string[] {
  const inner = unwrap(schema);
  if (inner instanceof z.ZodDiscriminatedUnion) {
    const chosen = chooseMember(inner, input);
    return chosen === undefined ? [] : knownNames(chosen, path, input);
  }
  if (inner instanceof z.ZodUnion)
    return (inner.options as readonly z.ZodType[]).flatMap((option) => knownNames(option, path, input));
  const [part, ...rest] = path;
  if (inner instanceof z.ZodObject) {
    if (part === undefined) return Object.keys(inner.shape);
    const field = inner.shape[String(part)] as z.ZodType | undefined;
    return field === undefined ? [] : knownNames(field, rest, fieldOf(input, part));
  }
  if (inner instanceof z.ZodArray && part !== undefined)
    return knownNames(inner.element as z.ZodType, rest, fieldOf(input, part));
  return [];
}

function unwrap(schema: z.ZodType): z.ZodType {
  if (schema instanceof z.ZodOptional) return unwrap(schema.unwrap() as z.ZodType);
  return schema;
}

function chooseMember(union: z.ZodDiscriminatedUnion, input: unknown): z.ZodType | undefined {
  const name = union.def.discriminator;
  const value = fieldOf(input, name);
  return (union.options as readonly z.ZodObject[]).find(
    (option) => (option.shape[name] as z.ZodType).safeParse(value).success,
  );
}

function fieldOf(input: unknown, name: PropertyKey): unknown {
  return typeof input === "object" && input !== null
    ? (input as Record<PropertyKey, unknown>)[name]
    : undefined;
}
