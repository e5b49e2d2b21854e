import { ATTEMPT_KINDS } from "../../../src/model/attempt.ts";
import { FAILURE_CAUSES } from "../../../src/model/event.ts";
import { requestId } from "../../../src/model/ids.ts";
import type { Line } from "../format.ts";
import { OUTPUT, reported } from "../host.ts";
import type { Commands } from "../script.ts";

export const attemptCommands: Commands = {
  /** start ATTEMPT...: confirms launches. */
  start(script, line) {
    for (const name of line.words) script.host.start(script.host.attempt(name));
  },

  /**
   * progress ATTEMPT 0.5 [stage=1] [records=100] [seen=8s]: a report, and the time of its arrival.
   */
  progress(script, line) {
    const { host } = script;
    const { id } = host.attempt(line.word(0));
    const stage = line.number("stage") ?? 0;
    const records = line.number("records") ?? 0;
    const progress = {
      ...reported({ at: line.duration("seen") ?? host.now, score: Number(line.word(1)), stage }),
      records,
    };
    host.feed({ kind: "attempt-progressed", attempt: id, progress });
  },

  /** succeed ATTEMPT... [bytes=10] [parts=6,4] */
  succeed(script, line) {
    const bytes = line.number("bytes") ?? OUTPUT.bytes;
    const parts = line.list("parts")?.map(Number);
    const output = { bytes, records: 0, ...(parts === undefined ? {} : { byPartition: parts }) };
    for (const name of line.words) {
      const attempt = script.host.attempt(name);
      script.host.end(attempt, { kind: "attempt-succeeded", attempt: attempt.id, output });
    }
  },

  /** fail ATTEMPT... [cause=timeout] */
  fail(script, line) {
    const told = line.option("cause") ?? "error";
    const cause =
      FAILURE_CAUSES.find((one) => one === told) ??
      line.fail(`expected ${FAILURE_CAUSES.join(", ")}`);
    for (const name of line.words) {
      const attempt = script.host.attempt(name);
      script.host.end(attempt, { kind: "attempt-failed", attempt: attempt.id, cause });
    }
  },

  /** killed ATTEMPT... [by=host] */
  killed(script, line) {
    const told = line.option("by") ?? "host";
    const killers = ["us", "node-lost", "host"] as const;
    const by = killers.find((one) => one === told) ?? line.fail(`expected ${killers.join(", ")}`);
    for (const name of line.words) {
      const attempt = script.host.attempt(name);
      script.host.end(attempt, { kind: "attempt-killed", attempt: attempt.id, by });
    }
  },

  /** host-starts ATTEMPT on=n2 as=speculative [for=r0]: the host starts it by itself. */
  "host-starts"(script, line) {
    const { host } = script;
    const name = line.word(0);
    const { id, task } = host.names.findOrNextAttempt(name) ?? line.fail("no such attempt");
    const node = host.node(line.option("on") ?? line.fail("expected on=NODE"));
    const as = ATTEMPT_KINDS.find((one) => one === (line.option("as") ?? "original"));
    if (as === undefined) return line.fail(`expected as=${ATTEMPT_KINDS.join(", ")}`);
    const why = { rule: "the-host", numbers: {} };
    const { view } = host.scheduler;
    const slot = view.phase(view.task(task).phase).slots[0] ?? line.fail("no slots");
    const bound = line.option("for");
    const request = bound === undefined ? {} : { request: requestId(Number(bound.slice(1))) };
    const [at, attempt] = [node.id, id];
    const launch = { kind: "launch", attempt, task, as, node: at, slot, ...request, why } as const;
    host.names.addAttempt(id, task, node.id);
    host.adopt(launch);
  },

  /** fetch-failed READER OUTPUT from=n1 [times=3] */
  "fetch-failed"(script, line) {
    const { host } = script;
    const reader = host.attempt(line.word(0)).id;
    const output = host.task(line.word(1));
    const from = host.node(line.option("from") ?? line.fail("expected from=NODE")).id;
    for (let time = line.number("times") ?? 1; time > 0; time--) {
      host.feed({ kind: "fetch-failed", reader, output, from });
    }
  },

  /** output-lost TASK on=n1 */
  "output-lost"(script, line) {
    const { task, node } = copyOf(script.host, line);
    script.host.feed({ kind: "output-lost", task, node });
  },

  /** replicated TASK on=n2: there is a second copy of its output. */
  replicated(script, line) {
    const { task, node } = copyOf(script.host, line);
    script.host.feed({ kind: "output-replicated", task, node });
  },

  /** refuse-request r0 reason */
  "refuse-request"(script, line) {
    const request = requestId(Number(line.word(0).slice(1)));
    const reason = line.words.slice(1).join(" ") || "no room";
    script.host.feed({ kind: "request-refused", request, reason });
  },
};

function copyOf(host: Parameters<Commands[string]>[0]["host"], line: Line) {
  const node = host.node(line.option("on") ?? line.fail("expected on=NODE")).id;
  return { task: host.task(line.word(0)), node };
}
