import { readFileSync } from "node:fs";
import { join } from "node:path";
import { resume } from "broomwagon";
import { afterAll, describe, expect, test } from "vitest";
import { type Ended, ProgramFolder } from "./support/program-folder.ts";

const folder = new ProgramFolder();
afterAll(() => folder.remove());

const OPTIONS = `{ input: "in", output: "out", overwrite: true, nodes: 2, reduces: 1 }`;

const ok = (out: string): Ended => ({ code: 0, out, err: "" });

/** The counts that the last run has written. */
const counted = (): string => readFileSync(join(folder.path, "out/part-00000"), "utf8");

/** The runs that the work has begun. */
function runsOf(work: () => void): readonly string[] {
  const before = folder.runs();
  work();
  return folder.runs().filter((id) => !before.includes(id));
}

const directory = (id = "none"): string => join(folder.path, ".broomwagon/runs", id);

/** What the program and its tasks printed in the nodes' processes. */
const printedIn = (id: string | undefined): string =>
  readFileSync(join(directory(id), "nodes.log"), "utf8");

describe("a job that is defined in the program", () => {
  test("runs in a script of one file, with the script's arguments and no guard", () => {
    const script = `import { defineJob, run, sum } from "broomwagon";
const wanted = new RegExp(process.argv[2]);
const lengths = await Promise.resolve(new Map());
console.log("before", process.argv.slice(2));
const job = defineJob({
  *map(line) {
    for (const word of line.split(" ")) if (wanted.test(word)) yield [word, letters(word)];
  },
  reduce: sum(),
});
function letters(word) {
  return lengths.get(word) ?? lengths.set(word, word.length).get(word);
}
const { outcome } = await run(job, ${OPTIONS});
console.log("after", outcome);
`;
    const [id] = runsOf(() => {
      const ended = folder.program("count.mjs", script, "^[bn]");
      expect(ended).toEqual(ok("before [ '^[bn]' ]\nafter succeeded\n"));
    });
    expect(counted()).toBe("be\t200\nnot\t150\n");
    expect(printedIn(id)).toContain("before [ '^[bn]' ]");
    expect(printedIn(id)).not.toContain("after");
  });

  test.each([
    ["a CommonJS script", "count.cjs", 'const { defineJob, run, sum } = require("broomwagon");'],
    [
      "a function that is called at once",
      "main.mjs",
      'import { defineJob, run, sum } from "broomwagon";',
    ],
  ])("runs in %s", (_, name, head) => {
    const text = `${head}
const job = defineJob({ map: (line) => line.split(" ").map((word) => [word, 1]), reduce: sum() });
async function main() {
  const { outcome } = await run(job, ${OPTIONS});
  console.log(outcome);
}
main();
`;
    expect(folder.program(name, text)).toEqual(ok("succeeded\n"));
    expect(counted()).toBe("be\t100\nnot\t50\nor\t50\nto\t100\n");
  });

  test("may come from other modules, and from functions that they call while they load", () => {
    folder.write(
      "lib/make.mjs",
      `import { defineJob, sum } from "broomwagon/job";
export const countOf = (wanted) => defineJob({
  map: (line) => line.split(" ").filter((word) => word === wanted).map((word) => [word, 1]),
  reduce: sum(),
});
`,
    );
    folder.write(
      "lib/jobs.mjs",
      `import { countOf } from "./make.mjs";
export const [be, or] = ["be", "or"].map(countOf);
`,
    );
    folder.write(
      "lib/old.cjs",
      `const { defineJob, sum } = require("broomwagon/job");
require("./unused.cjs");
exports.to = defineJob({ map: (line) => [["to " + line.length, 1]], reduce: sum() });
`,
    );
    folder.write(
      "lib/unused.cjs",
      `const { defineJob } = require("broomwagon/job");
exports.none = defineJob({ map: () => [] });
`,
    );
    const program = `import { defineJob, run } from "broomwagon";
import { be, or } from "./lib/jobs.mjs";
import { countOf } from "./lib/make.mjs";
import old from "./lib/old.cjs";
import { readFileSync } from "node:fs";
const own = countOf("not");
for (const job of [or, own, be, old.to]) {
  await run(job, ${OPTIONS});
  process.stdout.write(readFileSync("out/part-00000"));
}
`;
    expect(folder.program("many.mjs", program)).toEqual(
      ok("or\t50\nnot\t50\nbe\t100\nto 18\t50\n"),
    );
  });

  test("may be a flow", () => {
    const ended = folder.program(
      "flow.mjs",
      `import { count, defineFlow, run, text, tsv } from "broomwagon";
const flow = defineFlow("lengths", (f) => {
  const words = f.read("lines", text()).words();
  words.map((word) => word.length).keyBy().fold("by-length", count()).write(tsv());
});
console.log((await run(flow, ${OPTIONS})).job);
`,
    );
    expect(ended).toEqual(ok("lengths\n"));
    expect(counted()).toBe("2\t250\n3\t50\n");
  });

  test("is the program's own default export only where the program is not a job file", () => {
    folder.write(
      "both.mjs",
      `import { defineJob, run } from "broomwagon";
const job = defineJob({ map: (line) => [[line, 1]] });
export default job;
console.log((await run(job, ${OPTIONS})).outcome);
`,
    );
    expect(folder.run(["both.mjs"])).toEqual(ok("succeeded\n"));
    const command = "node_modules/broomwagon/bin/broomwagon.js";
    const { code, err } = folder.run([command, "run", "both.mjs", "--input", "in", "--quiet"]);
    expect(code).toBe(3);
    expect(err).toContain(
      "both.mjs: expected a module that only defines a job: it calls `run` itself, so start it " +
        "with `node ",
    );
  });
});

describe("a job that task threads would not find is refused before anything starts:", () => {
  const HEAD = `import { defineJob, run } from "broomwagon";
const make = () => defineJob({ map: (line) => [[line, 1]] });
`;

  test.each([
    [
      "made in a function that is called later",
      `setTimeout(() => run(make(), ${OPTIONS}));`,
      /run: expected a job that task threads can find, .* found one made in a function that was/,
    ],
    [
      "made in a function after an await",
      `(async () => { await null; await null; await run(make(), ${OPTIONS}); })();`,
      /found one made in a function that was called later\. Define it at the top level of a module/,
    ],
    [
      "defined after a run has ended",
      `const [one] = [make()];
await run(one, { ...${OPTIONS}, input: "nothing" }).catch(() => {});
await run(make(), ${OPTIONS});`,
      /refused\.mjs: found a job defined after a run: .* Define all jobs before the first `await/,
    ],
  ])("%s", (_, text, message) => {
    const before = folder.runs();
    const { code, out, err } = folder.program("refused.mjs", `${HEAD}${text}\n`);
    expect([code, out]).toEqual([1, ""]);
    expect(err).toMatch(message);
    expect(err).toContain("refused.mjs:");
    expect(folder.runs()).toEqual(before);
  });

  test("defined in no file", () => {
    const text = `${HEAD}await run(make(), ${OPTIONS});`;
    const { code, err } = folder.run(["--input-type=module", "--eval", text]);
    expect(code).toBe(1);
    expect(err).toContain("found one of a prompt, or of a program without a file");
  });
});

test("a job that is defined only in the main thread fails with its module's name", () => {
  const { code, err } = folder.program(
    "guarded.mjs",
    `import { isMainThread } from "node:worker_threads";
import { defineJob, run } from "broomwagon";
if (isMainThread) {
  const job = defineJob({ map: (line) => [[line, 1]] });
  await run(job, ${OPTIONS});
}
`,
  );
  expect(code).toBe(1);
  expect(err).toMatch(
    /guarded\.mjs: defines no job 1 when it is loaded: a task thread loads the module again/,
  );
});

test("a task cannot begin a run", () => {
  const script = `import { defineJob, run } from "broomwagon";
const job = defineJob({
  map(line) {
    run("other.mjs").catch(({ message }) => console.log(message));
    return [[line, 1]];
  },
});
await run(job, ${OPTIONS});
`;
  const [id] = runsOf(() => expect(folder.program("nested.mjs", script)).toEqual(ok("")));
  expect(printedIn(id)).toContain("run: expected no call within a task");
});

describe("a run of a program's own job that was killed", () => {
  /** Dies in the middle of the job; started again with an id, it resumes that run. */
  const dying = (head: string): string => `${head}
const wanted = new RegExp(process.argv[2]);
const job = defineJob({
  map: (line) => line.split(" ").filter((word) => wanted.test(word)).map((word) => [word, 1]),
  reduce: sum(),
});
const onEvent = ({ kind }) => kind === "attempt-ended" && process.kill(process.pid, "SIGKILL");
const [, , , id] = process.argv;
const running = id === undefined
  ? run(job, { ...${OPTIONS}, splitBytes: 200, onEvent })
  : resume(id);
running.then(({ outcome }) => console.log(outcome));
`;
  const HEADS = {
    "dying.mjs": 'import { defineJob, resume, run, sum } from "broomwagon";',
    "dying.cjs": 'const { defineJob, resume, run, sum } = require("broomwagon");',
  };

  /** The id of a run that has died. */
  function died(name: keyof typeof HEADS): string {
    const [id = "none"] = runsOf(() => {
      expect(folder.program(name, dying(HEADS[name]), "^[bt]")).toMatchObject({ code: null });
    });
    return id;
  }

  test.each(["dying.mjs", "dying.cjs"] as const)("is resumed by the program itself: %s", (name) => {
    const id = died(name);
    // Other arguments than those of the run do not matter to its job.
    expect(folder.run([name, "none", id])).toEqual(ok("succeeded\n"));
    expect(counted()).toBe("be\t100\nto\t100\n");
  });

  test.each(["dying.mjs", "dying.cjs"] as const)("is resumed by another one: %s", async (name) => {
    const { outcome } = await resume(directory(died(name)));
    expect(outcome).toBe("succeeded");
    expect(counted()).toBe("be\t100\nto\t100\n");
  });

  test("goes on with the program as it was, and not at all if CommonJS has changed", async () => {
    const changed = (name: keyof typeof HEADS): string => {
      const id = died(name);
      folder.write(name, dying(HEADS[name]).replace("[word, 1]", "[word, 1_000]"));
      return directory(id);
    };
    await resume(changed("dying.mjs"));
    expect(counted()).toBe("be\t100\nto\t100\n");
    await expect(resume(changed("dying.cjs"))).rejects.toThrow(/dying\.cjs: expected the/);
  });
});
