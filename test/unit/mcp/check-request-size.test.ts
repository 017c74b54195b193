import { describe, expect, it } from "vitest";
import { toolLimits } from "../../../src/base/limits.ts";
import { checkRequestSize } from "../../../src/mcp/check-request-size.ts";
import { refusalOf } from "../../support/refusal.ts";

const limits = { ...toolLimits, requestBytes: 10 };

describe("checkRequestSize", () => {
  it.each([[{ a: "ää" }, 12]])(
    "counts the bytes of %j as UTF-8 and refuses one too many",
    async (input, actual) => {
      expect(() => checkRequestSize(input, { ...limits, requestBytes: actual })).not.toThrow();
      const refused = await refusalOf(async () =>
        checkRequestSize(input, { ...limits, requestBytes: actual - 1 }),
      );
      expect(refused.code).toBe("LIMIT_EXCEEDED");
      expect(refused.details).toEqual({ limit: "requestBytes", maximum: actual - 1, actual });
    },
  );

  it("lets nothing pass as nothing", () => {
    expect(() => checkRequestSize(undefined, limits)).not.toThrow();
  });

  it("refuses what is no data", async () => {
    const circle: { self?: unknown } = {};
    circle.self = circle;
    expect((await refusalOf(async () => checkRequestSize(circle, limits))).code).toBe("INVALID_ARGUMENT");
    expect((await refusalOf(async () => checkRequestSize({ n: 1n }, limits))).code).toBe("INVALID_ARGUMENT");
  });
});
