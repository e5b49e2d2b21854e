import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { drawRuns, readRun } from "../../src/cli/journal-picture.ts";
import { ROOT } from "../../tools/cluster/repository.ts";
import { lacksHadoop } from "../yarn/support/java-and-maven.ts";
import { accessTo, theCluster } from "../yarn/support/the-cluster.ts";
import { YarnWorkshop } from "../yarn/support/yarn-workshop.ts";

describe.skipIf(lacksHadoop)("a real Hadoop cluster", () => {
  let workshop: YarnWorkshop;

  beforeAll(async () => {
    // The job has no copies: two nodes suffice, and start in two thirds of the time of four.
    const cluster = await theCluster(2);
    workshop = new YarnWorkshop(cluster, await accessTo(cluster));
    const lines = Array.from({ length: 4_000 }, (_, i) => `w${(i * i) % 97} w${i % 5} é\n`);
    await workshop.file("words.txt", lines.join(""));
  });

  afterAll(() => workshop?.remove());

  test("word count under LATE writes the engine's bytes, and its journal is drawn", async () => {
    const jobFile = join(ROOT, "examples/word-count.ts");
    const job = { jobFile, reduces: 2, splitBytes: 20_000 };
    const [result] = await Promise.all([
      workshop.onYarn(job, ["words.txt"], "counts").result,
      workshop.onEngine(job, ["words.txt"], "counts"),
    ]);
    expect(result.outcome).toBe("succeeded");
    expect(await workshop.outputOnYarn("counts")).toEqual(workshop.outputOnEngine("counts"));
    const svg = drawRuns([readRun(result.journal)]);
    writeFileSync(join(workshop.path, "run.svg"), svg);
    expect(svg.match(/<title>[^<]*, original: /g)?.length).toBe(result.totals.launched);
  });
});
