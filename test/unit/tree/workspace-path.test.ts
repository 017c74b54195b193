import { describe, expect, test } from "vitest";
import { parseWorkspacePath } from "../../../src/tree/workspace-path.ts";

const codeOf = (input: string, folder = false) => parseWorkspacePath(input, { folder }).problem?.code;

describe("a path of the workspace", () => {
  test.each([
    ["a", "a"],
    ["src/app.ts", "src/app.ts"],
    ["./src/app.ts", "src/app.ts"],
    ["with blank/and ünïcode/日本.txt", "with blank/and ünïcode/日本.txt"],
    ["...", "..."],
    ["..a/b..", "..a/b.."],
    [".gitignore", ".gitignore"],
    [".gitmodules", ".gitmodules"],
    [".github/workflows/a.yml", ".github/workflows/a.yml"],
    ["__proto__", "__proto__"],
    ["constructor/prototype", "constructor/prototype"],
    [":(top)x", ":(top)x"],
    ["%2e%2e/x", "%2e%2e/x"],
    ["~/x", "~/x"],
    ["nul.txt", "nul.txt"],
    ["ab:stream", "ab:stream"],
    ["🟢.txt", "🟢.txt"],
    [`${"é".repeat(127)}a`, `${"é".repeat(127)}a`],
    [Array.from({ length: 256 }, () => "a").join("/"), Array.from({ length: 256 }, () => "a").join("/")],
  ])("%j is accepted", (input, path) => {
    expect(parseWorkspacePath(input)).toEqual({ path });
  });

  test.each([
    ["a/", "a"],
    ["./a/", "a"],
    ["a/b", "a/b"],
    ["", ""],
    [".", ""],
    ["./", ""],
  ])("%j is accepted as a folder", (input, path) => {
    expect(parseWorkspacePath(input, { folder: true })).toEqual({ path });
  });

  test.each([
    [""],
    ["."],
    ["./"],
    [".."],
    ["../app-secret/x"],
    ["a/../b"],
    ["a/./b"],
    ["././a"],
    ["/etc/passwd"],
    ["//etc/x"],
    ["/w/app-secret/x"],
    ["a//b"],
    ["a/"],
    ["C:x"],
    ["C:/x"],
    ["C:../x"],
    ["é:/x"],
    ["💾:/x"],
    ["CON:/../../x"],
    ["uploads/../C:"],
    ["..\\test"],
    ["a\\..\\b"],
    ["\\\\?\\C:\\x"],
    ["sub\r"],
    ["x\n--- a\n+++ b"],
    ["a\0b"],
    ["a\u007f"],
    ["a\u0085b"],
    ["a/\ud800/b"],
    ["\udc00"],
    ["a".repeat(256)],
    ["é".repeat(128)],
    ["a/".repeat(256).concat("a")],
    ["a/".repeat(100_000)],
    [`${"a".repeat(200)}/`.repeat(21).concat("a")],
  ])("%j is refused", (input) => {
    expect(codeOf(input)).toBe("INVALID_PATH");
  });

  test.each([["a//"], ["/"], ["../"], ["./.."], [".//"]])("%j is refused as a folder", (input) => {
    expect(codeOf(input, true)).toBe("INVALID_PATH");
  });

  test.each([
    [".git"],
    [".Git/config"],
    [".GIT/hooks/pre-commit"],
    ["sub/.git/config"],
    ["deep/er/.gIt"],
    [".g\u200cit/x"],
    ["\ufeff.git/x"],
    [".gi\u00adt"],
    [".git\u2060/x"],
    ["git~1"],
    ["GIT~1/x"],
    ["a/GIT~2/x"],
    ["GI7EBA~1/x"],
    [".git::$INDEX_ALLOCATION/config"],
    [".git:stream"],
    [".git . /x"],
    [".git./x"],
    [".git /x"],
    [".git..."],
    ["．git/x"],
    [".ｇｉｔ/x"],
    [".gıt/x"],
    [".GİT/x"],
    ["a／.git"],
    [".holdfast"],
    [".HoldFast/log/1"],
    ["a/.holdfast/x"],
    [".hold\u200dfast"],
    [".holdfaſt"],
    ["HOLDFA~1/x"],
    [".holdfast:x"],
  ])("%j is protected", (input) => {
    expect(codeOf(input)).toBe("PROTECTED_PATH");
  });

  test.each([
    ["git"],
    [".gitx"],
    ["x.git"],
    [".git-credentials"],
    ["git~"],
    ["git~x"],
    ["holdfast"],
    [".holdfast2"],
  ])("%j is not protected", (input) => {
    expect(codeOf(input)).toBeUndefined();
  });

  test("a message shows the path on one line, cut when it is long", () => {
    const { problem } = parseWorkspacePath(`a\n\u202e${"b".repeat(3000)}`);
    expect(problem?.message).toContain('"a\\n\\u202e');
    expect(problem?.message).not.toMatch(/[\n\u202e]/u);
    expect(problem?.message.length).toBeLessThan(300);
  });
});
