import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { replay } from "../../src/core/journal/index.ts";
import { Invariants } from "../../src/testing/invariants.ts";
import { formatScript } from "./format.ts";
import { runScript } from "./script.ts";

/**
 * Each script tells a story: comment, commands, `----`, and the decisions with their reasons.
 * GOLDEN_REWRITE=1 rewrites the output; commit only a difference that you can explain.
 */
const folder = new URL("./", import.meta.url);
const scripts = readdirSync(folder).filter((name) => name.endsWith(".txt"));

describe.each(scripts)("%s", (name) => {
  const file = new URL(name, folder);
  const text = readFileSync(file, "utf8");

  test("decides as before, keeps the invariants, and can be replayed", () => {
    const { blocks, script } = runScript(text, name, (setup, scheduler) => {
      const invariants = new Invariants(setup, scheduler.view, { explains: true }, 1);
      return (event, actions) => invariants.check(event, actions);
    });
    const got = formatScript(blocks);
    if (process.env.GOLDEN_REWRITE === "1") writeFileSync(file, got);
    else expect(got).toBe(text);
    const { journal, setup } = script.host;
    expect(replay(journal, () => setup.discipline)).toMatchObject({ kind: "same" });
  });
});
