import { readdirSync, readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { decidesOutcomes } from "./program-version.ts";

const SOURCES = new URL("../../", import.meta.url);
const FILES = readdirSync(new URL("reproduce", SOURCES), { recursive: true, encoding: "utf8" })
  .map((name) => `reproduce/${name}`)
  .filter((name) => name.endsWith(".ts") && !name.endsWith(".test.ts"));

describe("the version under which outcomes are kept", () => {
  test("stays when code that only shows or judges them changes", () => {
    const shown = "page/page page/figure rows remarks score verdict columns".split(" ");
    for (const name of shown) {
      expect(FILES).toContain(`reproduce/${name}.ts`);
      expect(decidesOutcomes(`reproduce/${name}.ts`)).toBe(false);
      expect(decidesOutcomes(`reproduce/${name}.js`)).toBe(false);
    }
  });

  test("changes with all other code, but not with tests and declarations", () => {
    for (const name of ["core/core.ts", "reproduce/scenarios/measure.js", "reproduce/heading.ts"]) {
      expect(decidesOutcomes(name)).toBe(true);
    }
    for (const name of ["core/core.test.ts", "core/core.d.ts", "core/core.js.map"]) {
      expect(decidesOutcomes(name)).toBe(false);
    }
  });

  test("covers all the code that an experiment uses", () => {
    for (const name of FILES.filter(decidesOutcomes)) {
      const imports = readFileSync(new URL(name, SOURCES), "utf8").matchAll(
        /^(?:import|\} from) (?!type)[^;]*"(\.[^"]+)"/gm,
      );
      for (const [, from = ""] of imports) {
        const path = new URL(from, new URL(name, SOURCES)).href.slice(SOURCES.href.length);
        expect(decidesOutcomes(path), `${name} imports ${path}`).toBe(true);
      }
    }
  });
});
