import { Workspace } from "holdfast";
import { expect, test } from "vitest";
import { testStorage } from "../support/grounds/test-storage.ts";
import { collect, refusalOf } from "../support/refusal.ts";
import { testCase } from "./case-workspace.ts";
import { doors, otherFile, otherFolder } from "./doors.ts";

const files = { [otherFile]: "other\n", [`${otherFolder}/in.txt`]: "in\n", "a/b.txt": "b\n" };

/** Paths that no call takes, with the attack that they are known from. */
const refusedEverywhere: Readonly<Record<string, readonly string[]>> = {
  "CVE-2025-53110, CVE-2025-54794, #176: a folder beside the root with a longer name": [
    "../app-secret/x",
    "/w/app-secret/x",
    "../holdfast-case-evil/x",
  ],
  "CVE-2025-68145: another place on the host": [
    "/etc/passwd",
    "/",
    "../other-repository/x",
    "file:///etc/passwd",
  ],
  "CVE-2025-59944, CVE-2014-9390, #143, #152: version control data in any spelling": [
    ".git",
    ".git/config",
    ".Git/config",
    ".GIT/hooks/x",
    "deep/er/.git/config",
    ".g\u200cit/config",
    ".gi\ufefft/x",
    "\u200d.git/x",
    "git~1/config",
    "a/GIT~1/x",
    ".\uff27it/x",
  ],
  "CVE-2019-1352, CVE-2019-1353: streams, dots and blanks that a disk drops": [
    ".git::$INDEX_ALLOCATION/config",
    ".git . /x",
    ".git./x",
    ".git /x",
    ".git:x/y",
  ],
  "CVE-2019-1351, CVE-2019-1354, #188, CVE-2021-30483: backslashes and odd drives": [
    "a\\b",
    "a\\..\\b",
    "..\\test",
    "\\x",
    "\u00e9:/x",
    "C:\\x",
    "\\\\?\\C:\\x",
    "\\\\server\\share",
  ],
  "CVE-2021-32804, CVE-2021-37713: absolute in disguise": ["//etc/x", "C:../x", "C:x", "c:/x", "///x"],
  "CVE-2025-48384, #67: control characters": [
    "sub\r",
    "a\nb",
    "x\n--- a\n+++ b",
    "a\0b",
    "\x1b[2Ja",
    "a\x7fb",
    "a\u0085b",
  ],
  "CVE-2024-28863: depth and length": [
    `${"a/".repeat(100_000)}a`,
    `${"a/".repeat(256)}a`,
    "x".repeat(256),
    "\u20ac".repeat(86),
    `${"ab/".repeat(1400)}x`,
    `${`${"x".repeat(200)}/`.repeat(21)}x`,
    `${`${"\u20ac".repeat(80)}/`.repeat(18)}x`,
  ],
  "CVE-2025-23084, CVE-2025-27210, #190: device names that undo a guard": [
    "CON:/../../x",
    "uploads/../C:",
    "uploads/../CON:",
    "NUL/../x",
  ],
  "zip slip: segments that climb or stay": [
    "..",
    "../x",
    "a/../../x",
    "a/./b",
    "a/..",
    "./../x",
    "a//b",
    "././x",
  ],
  "lone surrogates": ["\ud800", "a/\udc00b"],
  "the library's own state": [
    ".holdfast",
    ".holdfast/log/00000001.log",
    ".HOLDFAST/x",
    "a/.holdfast/x",
    ".hold\u200cfast/x",
    "holdfa~1/x",
  ],
};

for (const [attack, paths] of Object.entries(refusedEverywhere))
  testCase(`#185 ${attack} is refused at every door alike`, files, async (on) => {
    const before = await on.files();
    for (const path of paths) {
      const codes = new Map<string, string>();
      for (const { name, knock } of doors) {
        const error = await refusalOf(() => knock(on.workspace, path));
        expect(error.written).toBe("no");
        expect(error.message.length).toBeLessThan(600);
        codes.set(error.code, `${codes.get(error.code) ?? ""} ${name}`);
      }
      // One policy: what one door says, all say.
      expect({ path: path.slice(0, 100), codes: [...codes] }).toEqual({
        path: path.slice(0, 100),
        codes: [[expect.stringMatching(/^(INVALID_PATH|PROTECTED_PATH)$/), expect.any(String)]],
      });
    }
    expect(await on.files()).toEqual(before);
    expect(await on.workspace.read(otherFile)).toMatchObject({ text: "other\n" });
  });

testCase("An empty path and a dot are refused where a file is meant", files, async (on) => {
  for (const path of ["", ".", "./"])
    for (const { folder, knock } of doors)
      if (folder !== true) await on.refuses("INVALID_PATH", () => knock(on.workspace, path));
});

testCase("The root itself is neither moved nor deleted", files, async (on) => {
  const revision = (await on.workspace.stat("", { revision: true }))?.revision ?? "";
  for (const path of ["", ".", "./"]) {
    await on.refuses("INVALID_PATH", () => on.workspace.apply({ action: "deleteTree", path, revision }));
    await on.refuses("INVALID_PATH", () =>
      on.workspace.apply({ action: "moveTree", path, destination: "in", revision }),
    );
  }
});

const unportable = [
  "CON",
  "nul.txt",
  "Aux.h",
  "COM\u00b9",
  "lpt9.log",
  "conin$",
  "a.txt:s",
  "uploads/CON:",
  "name.",
  "name ",
  " name",
  "aux/x.txt",
  "a?b",
  "a*b",
  "a|b",
  "a<b",
  'a"b',
];

testCase("#190 names that mean something else on Windows are made by no door", files, async (on) => {
  for (const path of unportable)
    for (const { makes, knock } of doors)
      if (makes === true) await on.refuses("INVALID_PATH", () => knock(on.workspace, path));
});

testCase(
  "#190 such names are made when only POSIX is asked for, and are read and changed by all",
  { "old name.": "old\n" },
  async (on) => {
    const posix = await on.another({ names: "posix" });
    for (const path of unportable) await posix.write(path, "made\n");
    for (const path of [...unportable, "old name."]) {
      await on.workspace.update(path, (file) => `${file?.text}more\n`);
      expect(await on.raw(path)).toMatch(/^(made|old)\nmore\n$/);
    }
  },
);

const inherited = [
  "__proto__",
  "constructor/prototype",
  "__proto__x",
  "hasOwnProperty",
  "a/__proto__/polluted",
  "toString",
];

testCase("Names of inherited properties are plain names", {}, async (on) => {
  for (const path of inherited) {
    expect(await on.workspace.stat(path)).toBeUndefined();
    await on.workspace.write(path, "polluted\n", { idempotencyKey: path, sessionId: "__proto__" });
    expect(await on.workspace.outcome(path)).toMatchObject({ known: true });
  }
  const listed = (await collect(on.workspace.list()))
    .filter(({ kind }) => kind === "file")
    .map(({ path }) => path);
  expect(listed).toEqual(inherited.toSorted());
  const other = await on.another();
  for (const path of inherited) expect(await other.read(path)).toMatchObject({ path, text: "polluted\n" });
  expect(({} as Record<string, unknown>)["polluted"]).toBeUndefined();
});

testCase("Arguments that come from JSON pollute nothing", files, async (on) => {
  const hostile =
    '{"__proto__":{"polluted":true,"dryRun":true},"constructor":{"prototype":{"polluted":true}}}';
  await on.refuses("INVALID_ARGUMENT", () => on.workspace.write("x.txt", "x", JSON.parse(hostile)));
  await on.refuses("INVALID_ARGUMENT", () =>
    on.workspace.apply(
      JSON.parse(`{"action":"create","path":"x.txt","content":"x","__proto__":{"polluted":true}}`),
    ),
  );
  const metadata = JSON.parse('{"__proto__":"polluted","plain":"kept"}');
  await on.workspace.write("x.txt", "x", { metadata });
  const [revision] = await collect(on.workspace.history({ limit: 1 }));
  expect(Object.entries(revision?.metadata ?? {})).toEqual(Object.entries(metadata));
  expect(({} as Record<string, unknown>)["polluted"]).toBeUndefined();
});

const onePlace = [
  { attack: "CVE-2021-21300: a folder and a file that fold to it", paths: ["A/hooks/x", "a"] },
  { attack: "CVE-2021-37701: two spellings of one name", paths: ["FOO/x", "foo/y"] },
  { attack: "CVE-2021-37712: composed and decomposed letters", paths: ["\u00e9", "e\u0301"] },
  { attack: "CVE-2026-23950: sharp s and double s", paths: ["stra\u00dfe", "STRASSE"] },
];

test.each(onePlace)("$attack are not made in one call", async ({ paths }) => {
  for (const caseFold of [true, false]) {
    const storage = testStorage({ caseFold });
    await using workspace = await Workspace.open(storage);
    const error = await refusalOf(
      workspace.apply(paths.map((path) => ({ action: "create", path, content: path }))),
    );
    expect(error).toMatchObject({ code: "PATH_COLLISION", written: "no" });
    expect(storage.toJSON()).toEqual({});
  }
});

testCase("Content that names places outside is only content", {}, async (on) => {
  const text = '[submodule "../../x"]\n\tpath = ../../x\n\turl = --upload-pack=touch x\n';
  await on.workspace.write(".gitmodules", text);
  expect(await on.files()).toEqual({ ".gitmodules": text });
});
