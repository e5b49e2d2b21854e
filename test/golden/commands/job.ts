import { type EdgeStart, PRIORITIES, REDUCE_STAGES } from "../../../src/model/job.ts";
import type { Piece, Run } from "../../support/curves.ts";
import { buildJob, type PhaseSpec } from "../../support/jobs.ts";
import { durationFrom, type Line } from "../format.ts";
import type { Commands, Script } from "../script.ts";

export const jobCommands: Commands = {
  /**
   * job j map*3 reduce*1<map@0.05 priority=high user=ann pool=p at=map/0:n1+n2,map:n3 bytes=64
   * [speculate=no | forbids=map,reduce]
   *
   * A phase is NAME[:KIND+KIND]*COUNT[<UPSTREAM[@done|@pipelined|@FRACTION],...]; it takes slots of
   * the kind with its name unless others are given. `forbids`: the phases without copies.
   */
  job(script, line) {
    const { host } = script;
    const [name = "", ...phases] = line.words;
    const wanted = line.option("priority") ?? "normal";
    const priority = PRIORITIES.find((one) => one === wanted) ?? line.fail("no such priority");
    const replicas = replicasIn(line);
    const bytes = line.number("bytes");
    const forbidding = new Set(line.list("forbids"));
    const job = buildJob(
      {
        priority,
        user: line.option("user") ?? "user",
        pool: line.option("pool") ?? "default",
        ...(line.option("speculate") === "no" ? { speculate: false } : {}),
        phases: phases
          .map((text) => phaseIn(text, script, line, replicas, bytes))
          .map((phase) => (forbidding.has(phase.name) ? { ...phase, speculate: false } : phase)),
      },
      script.nextIds,
      {
        kinds: script.setup.slotKinds,
        submittedAt: host.now,
        name,
        node: (one) => host.node(one).id,
      },
    );
    host.jobs.push(job);
    host.feed({ kind: "job-submitted", job });
  },

  "kill-job"(script, line) {
    const { host } = script;
    const job = host.names.findJob(line.word(0)) ?? line.fail("no such job");
    host.feed({ kind: "job-killed", job });
  },

  /**
   * run j/map/* takes=10s [on=n2]: how attempts that begin from now on run. `takes=20s:0.3,40s`
   * reaches 0.3 after 20 s and the end 40 s later; `ends=failed` or `ends=never` at the reached
   * score; `from=0.67` starts there; `reports=5s` is the interval of its reports.
   */
  run(script, line) {
    const attempt = patternIn(line.word(0));
    const nodes = line.list("on");
    const run = runIn(line);
    const matches = (name: string, node: string) =>
      attempt.test(name) && (nodes === undefined || nodes.includes(node));
    script.host.rules.push({ matches, run });
  },
};

/** `*` stands for anything; without an attempt's number all attempts of a task match. */
function patternIn(text: string): RegExp {
  const escaped = text.replace(/[.+?^${}()|[\]\\]/g, "\\$&").replaceAll("*", ".*");
  return new RegExp(`^${escaped}${text.includes("#") ? "" : "(#\\d+)?"}$`);
}

function runIn(line: Line): Run {
  const ends = line.option("ends") ?? "succeeded";
  const end = (["succeeded", "failed", "never"] as const).find((one) => one === ends);
  const pieces = (line.list("takes") ?? []).map((part): Piece => {
    const [time = "", score = "1"] = part.split(":");
    return { forMs: durationFrom(time), toScore: Number(score) };
  });
  const fromScore = line.number("from");
  const reportEveryMs = line.duration("reports");
  return {
    pieces,
    end: end ?? line.fail("expected ends=succeeded, failed or never"),
    ...(fromScore === undefined ? {} : { fromScore }),
    ...(reportEveryMs === undefined ? {} : { reportEveryMs }),
  };
}

const PHASE = /^([\w-]+)(?::([\w+-]+))?\*(\d+)(?:<(.*))?$/;

function phaseIn(
  text: string,
  script: Script,
  line: Line,
  replicas: ReadonlyMap<string, readonly string[]>,
  inputBytes: number | undefined,
): PhaseSpec {
  const [, name = "", kinds, count, after] = PHASE.exec(text) ?? line.fail(`no phase: ${text}`);
  const slots = kinds?.split("+") ?? [script.setup.slotKinds.includes(name) ? name : "map"];
  return {
    name,
    tasks: Number(count),
    slots,
    after: (after?.split(",") ?? []).map((edge) => {
      const [phase = "", start = "done"] = edge.split("@");
      return { phase, start: startIn(start) };
    }),
    ...(slots[0] === "reduce" ? { stages: REDUCE_STAGES } : {}),
    replicas: (index) => replicas.get(`${name}/${index}`) ?? replicas.get(name) ?? [],
    ...(inputBytes === undefined || after !== undefined ? {} : { inputBytes }),
  };
}

function startIn(text: string): EdgeStart {
  if (text === "done" || text === "pipelined") return { when: text };
  return { when: "fraction", of: Number(text) };
}

function replicasIn(line: Line): ReadonlyMap<string, readonly string[]> {
  return new Map(
    (line.list("at") ?? []).map((part) => {
      const [task = "", nodes = ""] = part.split(":");
      return [task, nodes.split("+")] as const;
    }),
  );
}
