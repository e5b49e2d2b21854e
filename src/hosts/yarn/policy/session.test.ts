import { describe, expect, test } from "vitest";
import {
  FACTS,
  HELLO,
  JOB,
  NONE,
  slowMap,
  status,
  TASK,
  Talk,
} from "../../../../test/support/policy-talk.ts";
import { replaySession } from "./replay.ts";

describe("a requested copy", () => {
  test("is a command with the nodes where the policy would launch it, and its why", () => {
    const [copy, ...others] = slowMap().commands();
    expect(others).toEqual([]);
    expect(copy).toMatchObject({
      type: "copy",
      command: 1,
      task: "m_000000",
      where: { on: "only", hosts: ["n2", "n3"] },
      why: { rule: "longest-time-left", numbers: { cap: 1, running: 0 } },
    });
  });

  test("names no nodes where Hadoop's own master runs", () => {
    const capabilities = { placement: false, withdraw: false };
    const [copy] = slowMap({ capabilities }).commands();
    expect(copy).toMatchObject({ type: "copy", task: "m_000000", where: { on: "any" } });
  });

  test.each([
    ["yarn", { on: "any" }],
    ["yarn-corrected", { on: "only", hosts: ["n2", "n3"] }],
  ])("names all nodes but those that a policy (%s) shuns", (discipline, where) => {
    const talk = slowMap({ settings: { discipline } });
    expect(talk.commands()).toEqual([]);
    talk.end("m_000001_0", "succeeded").end("m_000002_0", "succeeded");
    talk.until(12, (at) => [status("m_000000_0", (10 * (at - HELLO.at)) / 1_000, at)]);
    expect(talk.commands()).toMatchObject([{ type: "copy", task: "m_000000", where }]);
  });

  test("is requested again only by the core, once it was refused", () => {
    const talk = slowMap().until(10);
    expect(talk.commands()).toHaveLength(1);
    talk.take({ type: "refused", at: talk.at, command: 1, reason: "time-out" }).until(11);
    expect(talk.events("request-refused")).toMatchObject([{ reason: "time-out" }]);
    expect(talk.commands()).toMatchObject([{ command: 1 }, { command: 2, task: "m_000000" }]);
  });

  test("is answered by the attempt that was made for it", () => {
    const talk = slowMap();
    talk.take({ type: "done", at: talk.at, command: 1, attempt: "m_000000_1" });
    talk.start("m_000000_1", "n3", true);
    const started = talk.events("attempt-started").at(-1);
    expect(started).toMatchObject({ as: "speculative", node: 2, request: 0 });
  });

  test("is refused for the core if its attempt ends before it starts", () => {
    const talk = slowMap();
    talk.take({ type: "done", at: talk.at, command: 1, attempt: "m_000000_1" });
    talk.end("m_000000_1", "killed");
    expect(talk.events("request-refused")).toMatchObject([{ reason: "killed before it started" }]);
  });

  test("is withdrawn when its task finishes first", () => {
    const talk = slowMap().end("m_000000_0", "succeeded");
    expect(talk.commands().at(-1)).toEqual({ type: "withdraw", command: 2, of: 1 });
  });

  const mantriOn = (set: string): Talk => {
    const talk = new Talk({ settings: { discipline: "mantri", set } }).take(JOB, FACTS);
    talk.start("m_000000_0", "n1").start("m_000001_0", "n2");
    talk.until(5, (at) => [status("m_000000_0", 10, at)]).end("m_000001_0", "succeeded");
    return talk.until(12, (at) => [status("m_000000_0", 20, at)]);
  };

  test("is never a kill by Mantri's defaults, as a restart would have no container", () => {
    const commands = mantriOn("speculation.periodMs=1000").commands();
    expect(commands).toMatchObject([{ type: "copy", why: { rule: "copy-saves-work" } }]);
  });

  test("is a kill where a restart is sooner, and the next attempt is the restart", () => {
    const talk = mantriOn("speculation.periodMs=1000,speculation.gamma=3");
    expect(talk.commands()).toMatchObject([
      { type: "kill", attempt: "m_000000_0", why: { rule: "restart-is-sooner" } },
    ]);
    expect(JSON.stringify(talk.commands())).not.toContain("null");
    talk.take({ type: "done", at: talk.at, command: 1 }).end("m_000000_0", "killed");
    talk.start("m_000000_1", "n3");
    expect(talk.events("attempt-killed")).toMatchObject([{ by: "us" }]);
    expect(talk.events("attempt-started").at(-1)).toMatchObject({ as: "restart" });
  });
});

describe("a message of the master", () => {
  test("waits until the job and the cluster are known", () => {
    const talk = new Talk().take(JOB).start("m_000000_0", "n1").until(1);
    expect(talk.journal).toEqual([]);
    expect(talk.said.at(-1)).toEqual({ type: "tock", tick: 1 });
    talk.take(FACTS);
    expect(talk.events("attempt-started")).toMatchObject([{ at: 0, attempt: 0, node: 0 }]);
  });

  test("about a map's progress leaves out the share that Hadoop keeps for its sort", () => {
    const talk = new Talk().take(JOB, FACTS).start("m_000000_0", "n1");
    const half = { progress: 0.3335, phase: "MAP", counters: NONE };
    talk.take({ type: "status", at: talk.at, attempt: "m_000000_0", ...half });
    const [report] = talk.events("attempt-progressed");
    expect(report?.progress).toMatchObject({ kind: "reported" });
    expect(Reflect.get(report?.progress ?? {}, "score")).toBeCloseTo(0.5, 6);
  });

  test("about a reduce gives its stage, and our runner's share of the last third", () => {
    const talk = new Talk().take(JOB, FACTS).start("r_000000_0", "n2");
    const fetched = { hadoop: { REDUCE_SHUFFLE_BYTES: 70 }, broomwagon: {} };
    const reduced = { hadoop: { REDUCE_INPUT_RECORDS: 9 }, broomwagon: { progressPermille: 500 } };
    const of = { type: "status", at: talk.at, attempt: "r_000000_0" } as const;
    talk.take({ ...of, progress: 0.2, phase: "SHUFFLE", counters: fetched });
    talk.take({ ...of, progress: 0.7, phase: "REDUCE", counters: reduced });
    expect(talk.events("attempt-progressed").map(({ progress }) => progress)).toMatchObject([
      { score: 0.2, stage: 0, bytesRead: 70 },
      { score: 2.5 / 3, stage: 2, records: 9 },
    ]);
  });

  test("about our own job's input is not the input that Hadoop has handed over", () => {
    const settings = { ...HELLO.settings, tasks: "hdfs://m1:8020/tasks" };
    const talk = new Talk({ settings }).take(JOB, FACTS).start("m_000000_0", "n1");
    const handed = { hadoop: { BYTES_READ: 1_000 }, broomwagon: {} };
    const worked = { ...handed, broomwagon: { progressPermille: 250, bytesRead: 250 } };
    const of = { type: "status", at: talk.at, attempt: "m_000000_0", phase: "MAP" } as const;
    talk.take({ ...of, progress: 1, counters: handed }, { ...of, progress: 1, counters: worked });
    expect(talk.events("attempt-progressed").map(({ progress }) => progress)).toMatchObject([
      { score: 0, bytesRead: 0 },
      { score: 0.25, bytesRead: 250 },
    ]);
  });

  test("about a lost node removes its attempts and outputs at once; the node may come back", () => {
    const talk = new Talk().take(JOB, FACTS).start("m_000000_0", "n1").start("m_000001_0", "n1");
    talk.end("m_000000_0", "succeeded");
    talk.take({ type: "node", at: talk.at, host: "n1", state: "lost" });
    talk.end("m_000001_0", "killed");
    const lost = { type: "output-lost", at: talk.at, attempt: "m_000000_0", task: "m_000000" };
    talk.take({ ...lost, type: "output-lost" });
    talk.start("m_000000_1", "n2").start("m_000001_1", "n3");
    expect(talk.events("attempt-killed")).toMatchObject([{ by: "node-lost" }]);
    const kinds = talk.events("attempt-started").map(({ as }) => as);
    expect(kinds).toEqual(["original", "original", "recompute", "rerun"]);
    talk.take({ type: "node", at: talk.at, host: "n1", state: "usable" });
    expect(talk.events("node-joined").map(({ node }) => node.id)).toEqual([0, 1, 2, 0]);
  });

  test("about a start on a lost node does not bring it back, as 'usable' does", () => {
    const talk = new Talk().take(JOB, FACTS);
    talk.take({ type: "node", at: talk.at, host: "n1", state: "lost" }).start("m_000000_0", "n1");
    talk.end("m_000000_0", "killed").start("m_000000_1", "n2");
    expect(talk.events("attempt-killed")).toMatchObject([{ by: "node-lost" }]);
    expect(talk.events("node-joined")).toHaveLength(3);
    talk.take({ type: "node", at: talk.at, host: "n1", state: "usable" });
    expect(talk.events("node-joined").map(({ node }) => node.id)).toEqual([0, 1, 2, 0]);
  });

  test("about a kind that must not be copied leaves nothing for the core to wait for", () => {
    const map = { ...TASK, speculation: false };
    const talk = new Talk({ amAttempt: 2, conf: { ...HELLO.conf, map } }).take(JOB, FACTS);
    const past = { attempt: "m_000000_0", task: "m_000000", state: "succeeded" } as const;
    const where = { host: "n1", rack: "/rack1", counters: NONE };
    talk.take({ type: "recovered", at: talk.at, ...past, ...where });
    // Hadoop reports no starts, but ends.
    talk.end("m_000001_0", "succeeded").start("r_000000_0", "n2");
    talk.end("r_000000_0", "succeeded");
    const [submitted] = talk.events("job-submitted");
    expect(submitted?.job.phases).toMatchObject([{ name: "reduce", after: [] }]);
    expect(talk.events("attempt-started")).toMatchObject([{ attempt: 0, task: 3, node: 1 }]);
    expect(talk.journal.at(-1)).toContain('"outcome":"succeeded"');
  });

  test("about a job with nothing that may be copied is ignored", () => {
    const map = { ...TASK, speculation: false };
    const talk = new Talk({ conf: { ...HELLO.conf, map } }).take({ ...JOB, reduces: 0 }, FACTS);
    talk.until(2).end("m_000000_0", "succeeded").until(3);
    expect(talk.journal.filter((line) => line.includes('"kind":"end-job"'))).toHaveLength(1);
    talk.take({ type: "job-ended", at: talk.at, job: "job_1_0001", state: "succeeded" });
    expect(talk.events("job-killed")).toEqual([]);
    expect(talk.commands()).toEqual([]);
  });

  test("about an unknown host makes it a node on the rack for unknown hosts", () => {
    const talk = new Talk().take(JOB, FACTS);
    talk.take({
      ...{ type: "started", at: talk.at, attempt: "m_000000_0", task: "m_000000" },
      ...{ host: "n9", rack: "/rack7", copy: false },
    });
    expect(talk.events("node-joined").at(-1)?.node).toMatchObject({ name: "n9", rack: 1 });
  });

  test("about an earlier master replays the past, and issues no commands", () => {
    const talk = new Talk({ amAttempt: 2 }).take(JOB);
    const of = { type: "recovered", at: HELLO.at + 2, host: "n1", rack: "/rack1" } as const;
    const times = { startedAt: 991_000, endedAt: 999_000, counters: NONE };
    talk.take(FACTS).until(2);
    talk.take({ ...of, attempt: "m_000000_0", task: "m_000000", state: "succeeded", ...times });
    talk.start("m_000001_1000", "n2").until(4);
    expect(talk.events("attempt-succeeded")).toMatchObject([{ at: 9_000, attempt: 0 }]);
    expect(talk.events("attempt-started")).toMatchObject([{ at: 1_000 }, { at: 12_000 }]);
    expect(talk.commands()).toEqual([]);
  });

  test("about an earlier master does not keep the policy from its usual decisions", () => {
    const talk = new Talk({ amAttempt: 2 }).take(JOB, FACTS).until(2);
    const past = { attempt: "m_000000_0", task: "m_000000", state: "succeeded" } as const;
    const times = { startedAt: 991_000, endedAt: 999_000, counters: NONE };
    talk.take({ type: "recovered", at: talk.at, ...past, ...times, host: "n1", rack: "/rack1" });
    talk.start("m_000001_1000", "n2").start("m_000002_1000", "n3");
    talk.until(10, (at) => {
      const s = (at - HELLO.at) / 1_000 - 2;
      return [status("m_000001_1000", 10 * s, at), status("m_000002_1000", 100 * s, at)];
    });
    expect(talk.commands()).toMatchObject([
      {
        ...{ type: "copy", command: 1, task: "m_000001", where: { on: "only" } },
        why: { rule: "longest-time-left" },
      },
    ]);
    talk.take({ type: "done", at: talk.at, command: 1, attempt: "m_000001_1001" });
    talk.start("m_000001_1001", "n3", true);
    const started = talk.events("attempt-started").at(-1);
    expect(started).toMatchObject({ as: "speculative", task: 1, node: 2, request: 0 });
  });

  test("about the job's end ends the job, whatever is left undone", () => {
    const talk = new Talk().take(JOB, FACTS).start("m_000000_0", "n1");
    talk.take({ type: "job-ended", at: talk.at, job: "job_1_0001", state: "killed" });
    expect(talk.journal.at(-1)).toContain('"kind":"end-job"');
  });
});

describe("a discipline", () => {
  test.each([
    ["esplash", "placement", { placement: false, withdraw: false }],
    ["lat", "no discipline lat", HELLO.capabilities],
  ])("that cannot run here (%s) is refused with a reason", (discipline, text, capabilities) => {
    const talk = new Talk({ settings: { discipline }, capabilities });
    expect(talk.said).toMatchObject([{ type: "idle", reason: expect.stringContaining(text) }]);
    expect(slowMap({ settings: { discipline }, capabilities }).commands()).toEqual([]);
  });

  test("reports its parts that are left out", () => {
    const { said } = new Talk({ settings: { discipline: "mantri" } });
    expect(said).toMatchObject([
      { type: "ready", protocol: 1, discipline: "mantri" },
      { type: "log", text: expect.stringContaining("mantri-placement, mantri-protect") },
      { type: "log", text: expect.stringContaining("kill-only") },
    ]);
  });

  test("warns of settings without effect", () => {
    const { said } = new Talk({ settings: { dicipline: "late" } });
    const warning = { type: "log", level: "warn", text: expect.stringContaining("dicipline") };
    expect(said).toEqual([expect.objectContaining({ type: "ready" }), warning]);
  });
});

describe("the journal", () => {
  test("replays to the same session, to the byte", () => {
    const { journal } = slowMap().over();
    expect(replaySession(journal)).toEqual({ kind: "same", lines: journal.length, commands: 1 });
  });

  test("reveals a command that a replay does not issue", () => {
    const { journal } = slowMap().over();
    const line = journal.findIndex((text) => text.includes('"type":"copy"'));
    const changed = journal.with(line, journal[line]?.replace("m_000000", "m_000001") ?? "");
    const got = { expected: changed[line], got: journal[line] };
    expect(replaySession(changed)).toEqual({ kind: "different", line: line + 1, ...got });
  });

  test("exists even for a session that never had a job", () => {
    const { journal } = new Talk().until(1).over();
    expect(journal).toHaveLength(5);
    expect(replaySession(journal)).toMatchObject({ kind: "same" });
  });
});
