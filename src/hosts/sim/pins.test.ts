import { describe, expect, test } from "vitest";
import {
  jobOf,
  lasting,
  nodes,
  phase,
  runJob,
  slots,
  told,
} from "../../../test/support/recorded.ts";
import { parseDiscipline } from "../../policy/discipline.ts";

const on = (firstOn: string) => ({ firstOn });

describe("a task whose first attempt is pinned", () => {
  test("waits for its node, while others overtake it", () => {
    const tasks = [
      lasting(1_000, {}, on("n1")),
      lasting(1_000, {}, on("n1")),
      lasting(300),
      lasting(300),
    ];
    expect(told(runJob(jobOf(nodes(2), phase("map", tasks))))).toEqual([
      "0/2 original n0 0-300",
      "0/0 original n1 0-1000",
      "0/3 original n0 300-600",
      "0/1 original n1 1000-2000",
    ]);
  });

  test("runs anywhere after its first attempt", () => {
    const fails = {
      firstOn: "n1",
      attempts: [{ workMs: 1_000, failsAfterMs: 400 }, { workMs: 700 }],
    };
    const run = runJob(jobOf(nodes(2), phase("map", [fails, lasting(900, {}, on("n1"))])));
    expect(told(run)).toEqual([
      "0/0 original n1 0-400 failed",
      "0/0 retry n0 400-1100",
      "0/1 original n1 400-1300",
    ]);
  });

  test("waits for a node that joins later", () => {
    const late = { name: "late", slots: [slots(1, { fromMs: 5_000 })] };
    const tasks = [lasting(1_000, {}, on("late"))];
    expect(runJob(jobOf([...nodes(1), late], phase("map", tasks))).responseMs).toBe(6_000);
  });

  test("keeps the last slot of its node until it has been launched", () => {
    const goes = { name: "goes", slots: [slots(1, { untilMs: 1_500 })] };
    const tasks = [
      ...Array.from({ length: 3 }, () => lasting(1_000, {}, on("goes"))),
      lasting(10_000),
      lasting(100),
    ];
    expect(told(runJob(jobOf([...nodes(1), goes], phase("map", tasks))))).toEqual([
      "0/3 original n0 0-10000",
      "0/0 original goes 0-1000",
      "0/1 original goes 1000-2000",
      "0/2 original goes 2000-3000",
      "0/4 original n0 10000-10100",
    ]);
  });

  test("has copies on other nodes", () => {
    const tasks = [0, 1, 2, 3].map((index) =>
      lasting(index === 0 ? 60_000 : 1_000, {}, on(`n${index}`)),
    );
    const run = runJob(jobOf(nodes(4), phase("map", tasks)), { under: "spark-3.5" });
    expect(run).toMatchObject({ copies: 1, wins: 1 });
    expect(run.attempts.at(-1)).toMatchObject({ task: 0, as: "speculative" });
    expect(run.attempts.at(-1)?.node).not.toBe("n0");
  });

  test("runs elsewhere once its node is lost", () => {
    const discipline = parseDiscipline("none,sharing=fifo-plain", ["detection.expiryMs=200"]);
    const tasks = [
      lasting(1_000, {}, on("n1")),
      lasting(1_000, {}, on("n1")),
      lasting(1_000, {}, on("n1")),
    ];
    const job = jobOf(nodes(2), phase("map", tasks));
    const faults = [{ kind: "kill", at: 1_300, node: "n1" }] as const;
    const run = runJob({ ...job, faults }, { discipline, timing: { heartbeatMs: 100 } });
    expect(run.outcome).toBe("succeeded");
    expect(run.attempts.map(({ as, node }) => `${as} ${node}`)).toEqual([
      "original n1",
      "original n1",
      "rerun n0",
      "original n0",
    ]);
  });

  test("runs elsewhere once its node is closed to the job", () => {
    const fails = { firstOn: "n1", attempts: [{ workMs: 1_000, failsAfterMs: 100 }] };
    const tasks = [fails, fails, fails, fails, lasting(500, {}, on("n1"))];
    const run = runJob(jobOf(nodes(5), phase("map", tasks)));
    expect(run.attempts.find(({ task }) => task === 4)?.node).not.toBe("n1");
  });

  test.each(["mantri", "late,sharing=fair", "spark-4"])(
    "runs on its node under %s, wherever its data are",
    (under) => {
      const tasks = Array.from({ length: 12 }, (_, index) =>
        lasting(
          1_000,
          {},
          { firstOn: `n${index % 3}`, replicas: [`n${(index + 1) % 3}`], inputBytes: 100 },
        ),
      );
      const { attempts } = runJob(jobOf(nodes(3), phase("map", tasks)), { under });
      expect(attempts.length).toBe(12);
      for (const { node, task } of attempts) expect(node).toBe(`n${task % 3}`);
    },
  );
});
