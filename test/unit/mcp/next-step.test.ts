import { describe, expect, it } from "vitest";
import { type ErrorCode, errorCodes } from "../../../src/base/error-codes.ts";
import { HoldfastError } from "../../../src/base/holdfast-error.ts";
import { nextStep } from "../../../src/mcp/next-step.ts";

const toolNames = { read: "read_file", readLines: "read_file", apply: "apply_changes" };
const codes = Object.keys(errorCodes) as ErrorCode[];

describe("nextStep", () => {
  it.each(codes)("of %s names only tools that are listed", (code) => {
    const step = nextStep(new HoldfastError(code), toolNames);
    expect(step?.instruction).toMatch(/\S/);
    if (step?.kind === "callTool") expect(Object.values(toolNames)).toContain(step.tool);
    if (step?.kind === "chooseTool")
      for (const tool of step.tools) expect(Object.values(toolNames)).toContain(tool);
  });

  it.each(codes)("of %s names no tool when none is listed", (code) => {
    const step = nextStep(new HoldfastError(code), {});
    expect(["callTool", "chooseTool"]).not.toContain(step?.kind);
  });

  it("names a tool once that stands for several methods", () => {
    const error = Object.assign(new HoldfastError("NOT_FOUND"), {
      continuation: { kind: "chooseTool", tools: ["read", "readLines"], instruction: "Read." },
    });
    expect(nextStep(error, toolNames)).toEqual({ kind: "callTool", tool: "read_file", instruction: "Read." });
  });

  it("lets a step without a tool be as it is", () => {
    const error = new HoldfastError("INVALID_ARGUMENT");
    expect(nextStep(error, toolNames)).toEqual(error.continuation);
  });
});
