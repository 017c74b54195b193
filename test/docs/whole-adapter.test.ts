import { expect, test } from "vitest";
import { readRepositoryFile } from "../support/source-files.ts";

test("the page about own storages shows the adapter of the example as it is", () => {
  const page = readRepositoryFile("docs/adapters/write-your-own.md");
  const shown = /^```typescript\n(.*?)^```$/ms.exec(page)?.[1];
  expect(shown).toBe(readRepositoryFile("examples/custom-adapter/key-value-storage.ts"));
});
