/** Any value that survives `JSON.stringify` and back. */
export type Json = null | boolean | number | string | readonly Json[] | { readonly [key: string]: Json };
