import * as z from "zod";

/** How revisions of files are made from their bytes: xxh64 (16 hexadecimal digits) or SHA-256 (64). */
export type RevisionAlgorithm = "xxh64" | "sha256";

export const revisionAlgorithmSchema = z
  .enum(["xxh64", "sha256"])
  .describe("How revisions are made from bytes.");
