import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { registryFrom } from "../../src/cli/policy-files.ts";
import { replaySession } from "../../src/hosts/yarn/policy/replay.ts";
import { ROOT } from "../../tools/cluster/repository.ts";
import { lacksHadoop } from "./support/java-and-maven.ts";
import { accessTo, theCluster } from "./support/the-cluster.ts";
import { YarnWorkshop } from "./support/yarn-workshop.ts";

/** The original of the last map waits for its copy. */
const JOB = `import { defineJob, sum } from "broomwagon/job";
export default defineJob({
  map(line, ctx) {
    while (ctx.task === 1 && ctx.attempt === 0) Atomics.wait(clock, 0, 0, 50);
    ctx.emit(line, 1);
  },
  reduce: sum(),
});
const clock = new Int32Array(new SharedArrayBuffer(4));
`;

describe.skipIf(lacksHadoop)("a policy of one's own on a real Hadoop cluster", () => {
  let workshop: YarnWorkshop;

  beforeAll(async () => {
    const cluster = await theCluster();
    workshop = new YarnWorkshop(cluster, await accessTo(cluster));
    await workshop.file("words.txt", "to be or not to be\n".repeat(1_000));
  });

  afterAll(() => workshop?.remove());

  test("decides in the ApplicationMaster, and its journal replays with its file", async () => {
    const registry = await registryFrom({ policies: [join(ROOT, "examples/your-own-policy.ts")] });
    const jobFile = join(workshop.path, "waits.ts");
    writeFileSync(jobFile, JOB);
    const { result } = workshop.onYarn(
      { jobFile, reduces: 1, splitBytes: 10_000 },
      ["words.txt"],
      "counts",
      { discipline: "oldest", settings: ["speculation.ranMsMin=3000"], registry },
    );
    const { journal, outcome, totals } = await result;
    expect(outcome).toBe("succeeded");
    expect(totals.speculative).toBeGreaterThan(0);
    const lines = readFileSync(journal, "utf8").trim().split("\n");
    expect(replaySession(lines, journal, registry)).toMatchObject({ kind: "same" });
    expect(replaySession(lines, journal).kind).toBe("different");
  });
});
