import { expect, test } from "vitest";
import type { Change } from "../../../src/tree/change.ts";
import { planned, planOn, planOptions, refusals } from "../../support/planning-view.ts";

const create = (path: string, content = ""): Change => ({ action: "create", path, content });

test("too many changes are refused as a whole", () => {
  const options = planOptions({ limits: { changes: 2 } });
  expect(planned({}, [create("a"), create("b")], options).files).toHaveLength(2);
  const problems = refusals({}, [create("a"), create("a"), create("../b")], options);
  expect(problems).toMatchObject([
    { code: "LIMIT_EXCEEDED", details: { limit: "changes", maximum: 2, actual: 3 } },
  ]);
  expect(problems[0]).not.toHaveProperty("changeIndex");
});

test.each<readonly [string, Change, number]>([
  ["paths and text", create("ab", "é"), 4],
  ["bytes", { action: "create", path: "a", content: new Uint8Array(3) }, 4],
  [
    "destinations and edits",
    {
      action: "move",
      path: "a",
      destination: "bc",
      edits: [
        { op: "replace_text", oldText: "12", newText: "345" },
        { op: "append", content: "6" },
        { op: "delete", startLine: 1 },
      ],
    },
    9,
  ],
])("the size of a request counts %s", (_what, change, size) => {
  const refused = planOptions({ limits: { requestBytes: size - 1 } });
  expect(refusals({}, [change], refused)).toMatchObject([
    { code: "LIMIT_EXCEEDED", details: { limit: "requestBytes", maximum: size - 1, actual: size } },
  ]);
  const { problems = [] } = planOn({}, [change], planOptions({ limits: { requestBytes: size } }));
  expect(problems.map(({ code }) => code)).not.toContain("LIMIT_EXCEEDED");
});

test("a change beyond a limit is refused once, beside the others' problems", () => {
  const options = planOptions({ limits: { textBytes: 2 } });
  const problems = refusals({}, [create("a", "123"), create("../b")], options);
  expect(problems.map(({ code, changeIndex }) => [code, changeIndex])).toEqual([
    ["LIMIT_EXCEEDED", 0],
    ["INVALID_PATH", 1],
  ]);
});
