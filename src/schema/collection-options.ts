import * as z from "zod";
import type { CancelOptions } from "../base/clock.ts";
import { signalSchema } from "./signal.ts";

/** Which members of a collection are listed. */
export interface CollectionOptions<State extends string = string> extends CancelOptions {
  /** Only those in this state. Default: all. */
  readonly state?: State | undefined;
  /** Goes on after the one with this id. Default: the first. */
  readonly after?: string | undefined;
  /** Most to give. Default: all. */
  readonly limit?: number | undefined;
}

export const idSchema = z.string().min(1).max(256);

export const transactionListSchema = z.strictObject({
  state: z.enum(["active", "conflicted", "committed", "rolledBack"]).optional(),
  after: idSchema.optional(),
  limit: z.int().min(1).optional(),
  signal: signalSchema,
});
