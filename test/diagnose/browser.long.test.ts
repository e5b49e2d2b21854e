import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { createContext, runInContext } from "node:vm";
import { rolldown } from "rolldown";
import { afterAll, expect, test } from "vitest";

const directory = mkdtempSync(join(tmpdir(), "broomwagon-browser-"));
afterAll(() => rmSync(directory, { recursive: true }));

const PAGE = `
import { readTrace } from "${resolve("dist/bundle/trace.js")}";
import { diagnose } from "${resolve("dist/bundle/diagnose.js")}";
import { tryPolicies } from "${resolve("dist/bundle/whatif.js")}";

const trace = readTrace([bytes], { place: "two-workers" });
const [job] = trace.jobs;
const { kind, why } = diagnose(trace, job, { intervals: false });
const { gate, rows } = tryPolicies(job, { policies: ["spark-4"], seeds: 2, rho: 0 });
answer({ kind, slow: why.nodes[0].verdict, gate: gate.verdict, policy: rows[0].policy });
`;

test("a page reads a history, diagnoses it and tries policies, without Node", async () => {
  const entry = join(directory, "page.js");
  writeFileSync(entry, PAGE);
  const bundle = await rolldown({ input: entry, platform: "browser", logLevel: "silent" });
  const { output } = await bundle.generate({ format: "iife", codeSplitting: false });
  const [{ code, imports }] = output;
  expect(imports).toEqual([]);
  // A page's globals: the language's own and TextDecoder. No process, no Buffer, no require.
  const answers: unknown[] = [];
  const bytes = new Uint8Array(readFileSync("fixtures/spark/two-workers.ndjson"));
  const page = { TextDecoder, bytes, answer: (found: unknown) => answers.push(found) };
  runInContext(code, createContext(page));
  expect(JSON.parse(JSON.stringify(answers))).toEqual([
    { kind: "why", slow: "slow", gate: "good", policy: "spark-4" },
  ]);
});
