/** Job files for the tests, as text: what a user would write. */

/** Counts words; `rounds` makes the map as slow as a test needs it, by computing. */
export const wordCount = (rounds = 0): string => `
import { defineJob, sum } from "broomwagon/job";

/** Takes time, and gives the same result for the same word. */
function grind(word: string): number {
  let hash = 0;
  for (let round = 0; round < ${rounds}; round++) {
    for (let i = 0; i < word.length; i++) hash = (Math.imul(hash, 31) + word.charCodeAt(i)) | 0;
  }
  return hash;
}

export default defineJob({
  name: "word-count",
  counters: ["lines"],
  *map(line, ctx) {
    ctx.count("lines");
    for (const word of line.split(" ")) {
      if (grind(word) === 0.5) continue;
      yield [word, 1] as const;
    }
  },
  reduce: sum(),
});
`;

/** The places of each word, in the order in which the reduce received them. */
export const PLACES = `
import { defineJob } from "broomwagon/job";

export default defineJob({
  name: "places",
  *map(line: string) {
    const words = line.split(" ");
    for (const [place, word] of words.entries()) {
      yield [word, \`\${words.length}:\${place}\`] as const;
    }
  },
  *reduce(word, places) {
    let count = 0;
    let text = "";
    for (const place of places) {
      count++;
      if (count <= 20) text += \` \${place}\`;
    }
    yield [word, \`\${count}\${text}\`] as const;
  },
});
`;

/** A flow whose pairs are many times as large as its input; its reduce begins after all maps. */
export const WIDE_PLACES = `
import { defineFlow, text, tsv } from "broomwagon/job";

export default defineFlow("wide", (flow) => {
  flow
    .read("lines", text())
    .flatMap((line: string) => line.split(" ").map((word) => [word, line + line] as const))
    .keyBy(([word]) => word, ([, wide]) => wide)
    .reduce("places", (word, wides: Iterable<string>) => {
      let length = 0;
      for (const wide of wides) length += wide.length;
      return [[word, length] as const];
    })
    .write(tsv());
});
`;

/** Maps alone: lines that hold a word that ends in 7. */
export const GREP = `
import { defineJob } from "broomwagon/job";

export default defineJob({
  name: "grep",
  params: { pattern: "7( |$)" },
  *map(line, ctx) {
    if (new RegExp(ctx.params.pattern).test(line)) yield [line, line.length] as const;
  },
});
`;

/** Does \`first\` in the map of the task, in its early attempts. */
export const troubled = (query: {
  readonly task: number;
  readonly attempts: number;
  readonly first: string;
  readonly rounds?: number;
}): string =>
  wordCount(query.rounds ?? 0).replace(
    'ctx.count("lines");',
    () => `ctx.count("lines");
    if (ctx.task === ${query.task} && ctx.attempt < ${query.attempts}) {
      ${query.first}
    }`,
  );

/**
 * Maps of these tasks wait until the file exists: a test opens the gate when it has seen enough.
 */
export const gated = (query: {
  readonly gate: string;
  /** An expression about `ctx.task`. */
  readonly tasks: string;
}): string =>
  `import { existsSync } from "node:fs";${wordCount()}`.replace(
    'ctx.count("lines");',
    `ctx.count("lines");
    if (${query.tasks}) {
      const clock = new Int32Array(new SharedArrayBuffer(4));
      while (!existsSync(${JSON.stringify(query.gate)})) Atomics.wait(clock, 0, 0, 20);
    }`,
  );

/** Reduces wait, before their first key, until the file exists. */
export const gatedReduce = (gate: string): string => `
import { existsSync } from "node:fs";
import { defineJob } from "broomwagon/job";

export default defineJob({
  name: "gated-reduce",
  *map(line: string) {
    for (const word of line.split(" ")) yield [word, 1] as const;
  },
  *reduce(word: string, ones: Iterable<number>) {
    const clock = new Int32Array(new SharedArrayBuffer(4));
    while (!existsSync(${JSON.stringify(gate)})) Atomics.wait(clock, 0, 0, 20);
    let sum = 0;
    for (const one of ones) sum += one;
    yield [word, sum] as const;
  },
});
`;

/**
 * For `troubled`: waits for a program that takes ten minutes; its process id goes into the file.
 */
export const blocking = (pids: string): string =>
  `process.getBuiltinModule("node:child_process")
        .execFileSync("sh", ["-c", "echo $$ >> ${pids}; exec sleep 600"], { stdio: "inherit" });`;

/** For `troubled`: starts such a program, which shares the node's output, and continues. */
export const leaveBehind = (pids: string): string =>
  `const fs = process.getBuiltinModule("node:fs");
      if (!fs.existsSync("${pids}")) {
        const { spawn } = process.getBuiltinModule("node:child_process");
        const { pid } = spawn("sleep", ["600"], { stdio: "inherit" });
        fs.writeFileSync("${pids}", String(pid));
      }`;

export const PRINTED_EACH = 100;

/** A function for `troubled`: prints `PRINTED_EACH` lines for each record, all different. */
export const PRINT = `
let printed = 0;
function print(line: string): void {
  for (let i = 0; i < ${PRINTED_EACH}; i++) console.log(\`record \${printed++} \${line}\`);
}
`;

/**
 * The first attempt of task 0 stops in the middle, until another attempt of the task has begun and
 * opens the gate: only a policy against stragglers can finish the job.
 */
export const stuck = (gate: string, rounds = 0): string =>
  `import { existsSync, writeFileSync } from "node:fs";
let lines = 0;
${wordCount(rounds)}`.replace(
    'ctx.count("lines");',
    `ctx.count("lines");
    if (ctx.task === 0 && ctx.attempt > 0) writeFileSync(${JSON.stringify(gate)}, "");
    if (ctx.task === 0 && ctx.attempt === 0 && ++lines === 200) {
      const clock = new Int32Array(new SharedArrayBuffer(4));
      while (!existsSync(${JSON.stringify(gate)})) Atomics.wait(clock, 0, 0, 20);
    }`,
  );
