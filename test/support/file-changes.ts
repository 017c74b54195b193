import fc from "fast-check";
import type { FileChange } from "./transaction-model.ts";

/** Paths of the model: few, and some of them below others. */
export const modelPath = fc.constantFrom("a", "a", "b", "b", "d", "d/x", "d/x", "d/y");

const content = fc.constantFrom("", "x", "x\n", "x\ny\n", "y\nx\nz", "xx\n");
const guard = fc.constantFrom(
  "current",
  "current",
  "current",
  "current",
  "current",
  "current",
  "none",
  "stale",
);

/** Changes of one file or two. */
export const fileChange: fc.Arbitrary<FileChange> = fc.oneof(
  fc.record({ kind: fc.constant("create"), path: modelPath, content }),
  fc.record({ kind: fc.constant("write"), path: modelPath, content, guard }),
  fc.record({
    kind: fc.constant("text"),
    path: modelPath,
    oldText: fc.constantFrom("x", "y"),
    newText: fc.constantFrom("", "q", "x\nx"),
    guard,
  }),
  fc.record({ kind: fc.constant("delete"), path: modelPath, guard }),
  fc
    .record({ kind: fc.constantFrom("move", "copy"), path: modelPath, destination: modelPath, guard })
    .filter(({ path, destination }) => path !== destination),
  fc.record({ kind: fc.constant("chmod"), path: modelPath, executable: fc.boolean(), guard }),
  fc.record({ kind: fc.constant("absent"), path: modelPath }),
);
