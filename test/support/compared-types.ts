import type * as z from "zod";

/** Values that are compared as a whole. */
type Whole = Uint8Array | AbortSignal | ((...args: never[]) => unknown) | { readonly sleep: unknown };

/** A type without its readonly marks, which schemas do not carry; intersections and inherited fields made one. */
export type Plain<T> = T extends Whole ? T : T extends object ? { -readonly [K in keyof T]: Plain<T[K]> } : T;

/** A plain result type: its optional fields are left out or there, never `undefined`. */
type PlainResult<T> = T extends object
  ? { -readonly [K in keyof T]: PlainResult<Exclude<T[K], undefined>> }
  : T;

/** Whether two types are one. */
export type Same<A, B> = [A] extends [B]
  ? [B] extends [A]
    ? (<T>() => T extends A ? 1 : 2) extends <T>() => T extends B ? 1 : 2
      ? true
      : false
    : false
  : false;

/** Whether a schema of an input has exactly the fields of its interface. */
export type Input<S extends z.ZodType, I> = Same<Plain<z.infer<S>>, Plain<I>>;
/** Whether a schema of a result has exactly the fields of its interface. */
export type Result<S extends z.ZodType, I> = Same<PlainResult<z.infer<S>>, PlainResult<I>>;

/** A value in which every field is there. */
export type Complete<T> = { readonly [K in keyof T]-?: T[K] };
