import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { describe, expect, test } from "vitest";
import { IMPURE_WITHIN, PURE } from "../../tools/tidy/bans.ts";
import { CHECKS, format, readRepository } from "../../tools/tidy.ts";

const files = readRepository(fileURLToPath(new URL("../..", import.meta.url)));

describe("this repository", () => {
  test.each([...CHECKS])("%s", (_, check) => {
    expect(check(files).map(format)).toEqual([]);
  });
});

describe("the pure folders are the same", () => {
  const folders = PURE.toSorted();

  test("in the compiler's list", () => {
    const { include, exclude } = JSON.parse(readFileSync("tsconfig.pure.json", "utf8"));
    expect(include.toSorted()).toEqual(folders.map((folder) => `src/${folder}`));
    expect(exclude).toContain(`src/${IMPURE_WITHIN}`);
  });

  test("in ARCHITECTURE.md", () => {
    const text = readFileSync("ARCHITECTURE.md", "utf8");
    const [, list = ""] = /`tools\/tidy\/` reject[^.]*\.\s([^.]*) are\s+pure:/.exec(text) ?? [];
    const named = Array.from(list.matchAll(/`([^`]+)`/g), ([, name]) => name);
    expect(named.filter((name) => name !== "open").toSorted()).toEqual(folders);
    expect(list).toMatch(/`trace` without `open`/);
  });
});

/** A file that breaks the rule, and the check's message. */
const OFFENDERS: readonly [check: string, path: string, text: string, says: RegExp][] = [
  ["imports follow", "src/base/a.ts", 'import "../model/job.ts";', /base may not import model/],
  [
    "imports follow",
    "src/core/a.ts",
    'import "../policy/order/b.ts";',
    /core may not import policy/,
  ],
  [
    "imports follow",
    "src/core/state/a.ts",
    'import "../loop/b.ts";',
    /core\/state may not import core\/loop/,
  ],
  ["imports follow", "src/core/a.ts", 'import fs from "node:fs";', /package node:fs/],
  ["imports follow", "src/cli/a.ts", 'export * from "./b";', /write the \.ts ending/],
  [
    "imports follow",
    "src/policy/order/a.ts",
    'type B = import("../sharing/b.ts").B;',
    /no policy imports another/,
  ],
  [
    "imports follow",
    "src/policy/shared/a.ts",
    'import "../order/b.ts";',
    /policy\/shared may not import policy/,
  ],
  ["a read by an index", "src/whatif/a.ts", "const a = b[c] ?? 0;", /use cell/],
  ["a read by an index", "src/trace/hadoop/a.ts", "const a = b[c] ?? 0;", /use cell/],
  ["a read by an index", "src/page/draw/a.ts", "const a = b[c] ?? 0;", /use cell/],
  ["a read by an index", "src/diagnose/a.ts", "const a = b[c] ?? Number.NaN;", /use cell/],
  ["a read by an index", "src/whatif/a.ts", "const a = b[c] ?? -1;", /use cell/],
  ["a letter", "test/letter/a.ts", 'import "../../src/core/rates.ts";', /behind the door/],
  ["a letter", "test/letter/a.test.ts", 'import "../simulate/dice.ts";', /behind the door/],
  ["a letter", "test/letter/a.ts", 'import "../referee/figures.ts";', /behind the door/],
  [
    "a letter and a referee",
    "test/referee/a.ts",
    'import "../../src/core/rates.ts";',
    /behind the door/,
  ],
  [
    "a letter and a referee",
    "test/referee/b/a.ts",
    'import "../../simulate/dice.ts";',
    /behind the door/,
  ],
  [
    "a letter and a referee",
    "test/evidence/worlds/a.ts",
    'import "../../../src/diagnose/index.ts";',
    /behind the door/,
  ],
  ["the pure folders", "src/core/a.ts", "const now = Date.now();", /Date: time is/],
  ["the pure folders", "src/core/a.ts", "const x = Math.random();", /ctx\.random/],
  ["the pure folders", "src/core/a.ts", "const x = Math.exp(1);", /exp from base\/math\.ts/],
  ["the pure folders", "src/core/a.ts", "const x = 2 ** 3;", /multiply/],
  ["the pure folders", "src/core/a.ts", "const { exp } = Math;", /Math as a value/],
  ["the pure folders", "src/core/a.ts", "try { f(); } catch { g(); }", /a bug must crash/],
  ["the pure folders", "src/core/a.ts", "async function f() {}", /never wait/],
  ["the pure folders", "src/core/a.ts", "for (const k in o) f(k);", /reorder/],
  [
    "the core and the policies compare",
    "src/core/a.ts",
    "if (core.now - since >= everyMs) f();",
    /now >= after/,
  ],
  [
    "the core and the policies compare",
    "src/policy/a.ts",
    "const ms = now - at; const is = ms * 2 < b;",
    /instants/,
  ],
  [
    "the core and the policies rank",
    "src/core/a.ts",
    "if (leftMs < newCopyMs) f();",
    /isClearlyBelow/,
  ],
  [
    "the core and the policies rank",
    "src/policy/a.ts",
    "const is = view.timeLeft(a) >= best.gainMs + 1;",
    /isClearlyBelow/,
  ],
  [
    "the core and the policies rank",
    "src/policy/a.ts",
    "const order = descending<Worth>(({ one }) => savedMs(one), byId);",
    /leastFirst or mostFirst/,
  ],
  ["there is no any", "test/a.ts", "let x: any;", /say what it is/],
  ["there is no any", "src/core/a.ts", "const x = y as string;", /narrow it/],
  ["a text that is parsed", "src/run/a.ts", "const a: A = JSON.parse(b);", /a Json or an unknown/],
  ["a text that is parsed", "src/run/a.ts", "const { a } = JSON.parse(b);", /a Json or an unknown/],
  ["a text that is parsed", "src/run/a.ts", "const a = JSON.parse(b).c;", /a Json or an unknown/],
  ["a text that is parsed", "src/run/a.ts", "f(JSON.parse(a));", /a Json or an unknown/],
  ["a text that is parsed", "src/run/a.ts", "const f = (): A => JSON.parse(a);", /an unknown/],
  [
    "a text that is parsed",
    "src/run/a.ts",
    "function f(): unknown { const g = (): A => { return JSON.parse(a); }; return g(); }",
    /a Json or an unknown/,
  ],
  ["only its main.ts", "src/cli/a.ts", "process.exit(1);", /only the main\.ts/],
  ["no file is longer", "src/core/a.ts", "\n".repeat(401), /401 lines/],
  ["no function", "src/core/a.ts", `function f() {${"\n".repeat(70)}}`, /71 lines/],
  ["no line of code", "src/core/a.ts", `// ${"x".repeat(98)}`, /101 columns/],
  ["links and paths", "docs/a.md", "[b](b.md)", /b\.md: there is no such thing/],
  ["links and paths", "docs/a.md", "[b](a.md#c)", /a\.md#c: there is no/],
  ["links and paths", "docs/a.md", "see `src/gone.ts`", /src\/gone\.ts/],
  ["no file is dead", "src/core/a.ts", "", /nothing uses/],
  ["no path of one machine", "README.md", `see /${"work"}/x`, /one machine/],
  ["no path of one machine", "src/core/a.ts", `// ${"TO"}DO: later`, /name the issue/],
];

describe("an offender is found:", () => {
  test.each(OFFENDERS)("%s, %s: %s", (name, path, text, says) => {
    const [, check] = [...CHECKS].find(([rule]) => rule.startsWith(name)) ?? [];
    const found = check?.([{ path, text }]).map(format) ?? [];
    expect(found).toHaveLength(1);
    expect(found[0]).toMatch(says);
  });
});

describe("a short file that one file imports", () => {
  const [, oneImporter] = [...CHECKS].find(([rule]) => rule.startsWith("a short file")) ?? [];
  const found = (files: readonly (readonly [path: string, text: string])[]) =>
    oneImporter?.(files.map(([path, text]) => ({ path, text }))).map(format);
  const [part, importer] = [
    ["src/run/part.ts", "export const a = 1;\n"],
    ["src/run/whole.ts", 'import { a } from "./part.ts";\n'],
  ] as const;
  const other = ["src/run/other.ts", importer[1]] as const;

  test("is found", () => {
    expect(found([part, importer])).toEqual([
      "src/run/part.ts:1 src/run/whole.ts alone imports this short file: make it a part of that",
    ]);
  });

  test.each([
    ["has another importer", [part, importer, other]],
    ["has a test of its own", [part, importer, ["src/run/part.test.ts", importer[1]] as const]],
    ["is an index", [["src/run/index.ts", part[1]] as const, ["src/a.ts", importer[1]] as const]],
    ["is not short", [[part[0], part[1].repeat(61)] as const, importer]],
    ["would make the importer too long", [part, [importer[0], importer[1].repeat(300)] as const]],
  ])("stays apart if it %s", (_, files) => {
    expect(found(files)).toEqual([]);
  });
});

test("a compiled file beside its source is found", () => {
  const [, deadFiles] = [...CHECKS].find(([rule]) => rule.startsWith("no file is dead")) ?? [];
  const files = ["test/a.test.ts", "test/a.test.js"].map((path) => ({ path, text: "" }));
  expect(deadFiles?.(files).map(format)).toEqual([
    "test/a.test.js:1 compiled beside its source: delete it",
  ]);
});

test("a product file that only tests use is found", () => {
  const [, deadFiles] = [...CHECKS].find(([rule]) => rule.startsWith("no file is dead")) ?? [];
  const files = [
    { path: "src/core/a.ts", text: "" },
    { path: "src/core/a.test.ts", text: 'import "./a.ts";' },
  ];
  expect(deadFiles?.(files).map(format)).toEqual([
    "src/core/a.ts:1 tests alone use this file: move it to test/",
  ]);
});

test("files that import one another are found, once per circle", () => {
  const [, circles] = [...CHECKS].find(([rule]) => rule.startsWith("no import circle")) ?? [];
  const files = [
    { path: "src/core/a.ts", text: 'import "./b.ts";' },
    { path: "src/core/b.ts", text: 'import type { C } from "./c.ts";' },
    { path: "src/core/c.ts", text: 'import "./a.ts"; import "./d.ts";' },
    { path: "src/core/d.ts", text: "" },
  ];
  expect(circles?.(files).map(format)).toEqual([
    "src/core/a.ts:1 imports in a circle with src/core/b.ts, src/core/c.ts",
  ]);
});

test("quoted code that differs from the linked file is found", () => {
  const [, quotes] = [...CHECKS].find(([rule]) => rule.startsWith("code that")) ?? [];
  const text = "export const late = f(\n  a,\n  b,\n);\n";
  const page = [
    "[`a.ts`](../../src/a.ts)",
    "",
    "| step | [`a.ts`](../../src/a.ts) | remarks |",
    "| --- | --- | --- |",
    "| `anything` | `late = f(a, b)`; `f(.., b)` | `anything` |",
    "| two | `late = f(b)` | also `a.ts`: `g` |",
  ].join("\n");
  const files = [
    { path: "docs/papers/a.md", text: page },
    { path: "src/a.ts", text },
  ];
  expect(quotes?.(files).map(format)).toEqual([
    "docs/papers/a.md:6 `late = f(b)` is not in src/a.ts",
    "docs/papers/a.md:6 `g` is not in src/a.ts",
  ]);
});

test("allowed code is not found", () => {
  const text = [
    'import { b } from "./b.ts";',
    "const KINDS = ['x'] as const;",
    "const x = Math.min(Math.floor(1), { Date: 1 }.Date);",
    "export const late = (): number => b(x, KINDS);",
    "export const read = (): unknown => { const a: Json = JSON.parse(b); return JSON.parse(a); };",
  ].join("\n");
  const files = [
    { path: "src/core/a.ts", text },
    { path: "src/core/b.ts", text: "export const b = Number;" },
    { path: "src/core/index.ts", text: 'export * from "./a.ts";' },
    { path: "src/core/a.test.ts", text: 'import "./a.ts";\nimport "./b.ts";' },
    { path: "docs/a.md", text: "# On `core` (b)\n[b](../src/core/b.ts) [c](#on-core-b)" },
  ];
  for (const [, check] of CHECKS) expect(check(files).map(format)).toEqual([]);
});
