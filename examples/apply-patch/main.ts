import assert from "node:assert/strict";
import { isHoldfastError, MemoryStorage, Workspace } from "holdfast";

const storage = new MemoryStorage({
  files: {
    "src/shapes.ts":
      "class Circle {\n  area() {\n    return 0;\n  }\n}\n\nclass Square {\n  area() {\n    return 0;\n  }\n}\n",
    "src/old.ts": "export const unit = 1;\n",
  },
});
const workspace = await Workspace.open(storage);

// Two classes have this line, so the hunk names no place: nothing of the patch is written.
const unclear = await workspace
  .applyPatch(`*** Begin Patch
*** Update File: src/shapes.ts
@@
-    return 0;
+    return this.side ** 2;
*** Delete File: src/old.ts
*** End Patch
`)
  .catch((error: unknown) => error);
assert.ok(isHoldfastError(unclear, "PATCH_CONTEXT_AMBIGUOUS"));
assert.deepEqual(unclear.details.lines, [3, 9]);
assert.ok("src/old.ts" in storage.toJSON());

// With the class in front of it, it does.
const { files } = await workspace.applyPatch(`*** Begin Patch
*** Update File: src/shapes.ts
@@ class Square {
-    return 0;
+    return this.side ** 2;
*** Update File: src/old.ts
*** Move to: src/unit.ts
-export const unit = 1;
+export const unit = 10;
*** Add File: src/index.ts
+export * from "./shapes.ts";
*** End Patch
`);
assert.deepEqual(files[0]?.hunks, [{ grade: "exact", line: 9, offset: 0 }]);
assert.equal(storage.toJSON()["src/unit.ts"], "export const unit = 10;\n");

// A diff says line 1; its text stands further down by now, and that is where it is applied.
const moved = await workspace.applyPatch(`--- a/src/shapes.ts
+++ b/src/shapes.ts
@@ -1,3 +1,3 @@
 class Square {
   area() {
-    return this.side ** 2;
+    return this.side * this.side;
`);
assert.deepEqual(moved.files[0]?.hunks, [{ grade: "exact", line: 7, offset: 6 }]);
console.log(storage.toJSON()["src/shapes.ts"]);

await workspace.close();
