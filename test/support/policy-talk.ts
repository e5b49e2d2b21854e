import { parseJournal } from "../../src/core/journal/index.ts";
import type {
  AmLine,
  HadoopCounters,
  HelloLine,
  JobLine,
} from "../../src/hosts/yarn/policy/am-line.ts";
import type { FactsLine } from "../../src/hosts/yarn/policy/facts.ts";
import type { PolicyLine } from "../../src/hosts/yarn/policy/policy-line.ts";
import { PolicySession } from "../../src/hosts/yarn/policy/session.ts";
import type { ClusterEvent } from "../../src/model/event.ts";

export const TASK = { memoryMb: 512, vcores: 1, speculation: true };
export const HELLO: HelloLine = {
  type: "hello",
  at: 1_000_000,
  protocol: 1,
  application: "application_1_0001",
  amAttempt: 1,
  journal: "/tmp/journal.ndjson",
  capabilities: { placement: true, withdraw: true },
  settings: { discipline: "late", set: "speculation.runtimeMsMin=3000" },
  conf: { slowstart: 0.05, map: TASK, reduce: TASK, resourceManagers: [] },
};
export const JOB: JobLine = {
  type: "job",
  at: 1_000_001,
  job: "job_1_0001",
  name: "sort",
  user: "ann",
  queue: "default",
  submittedAt: 990_000,
  maps: [1, 2, 3].map((n) => ({ bytes: 1_000, hosts: [`n${n}`] })),
  reduces: 1,
};
export const FACTS: FactsLine = {
  type: "facts",
  nodes: ["n1", "n2", "n3"].map((host) => ({
    host,
    rack: "/rack1",
    state: "RUNNING",
    memoryMb: 1_536,
    vcores: 4,
  })),
};

export const NONE: HadoopCounters = { hadoop: {}, broomwagon: {} };

/** A session and its output. */
export class Talk {
  readonly said: PolicyLine[] = [];
  readonly journal: string[] = [];
  readonly #session = new PolicySession({
    say: (line) => this.said.push(line),
    journal: (line) => this.journal.push(line),
  });
  #tick = 0;
  #at = 0;

  constructor(hello: Partial<HelloLine> = {}) {
    this.take({ ...HELLO, ...hello });
  }

  take(...lines: readonly (AmLine | FactsLine)[]): this {
    for (const line of lines) this.#session.take(line);
    return this;
  }

  /** Seconds after `hello`; each is a tick. */
  until(second: number, each: (at: number) => readonly AmLine[] = () => []): this {
    while (this.#at < second) {
      this.#at++;
      const at = HELLO.at + this.#at * 1_000;
      this.take(...each(at), { type: "tick", at, tick: ++this.#tick });
    }
    return this;
  }

  get at(): number {
    return HELLO.at + this.#at * 1_000;
  }

  start(attempt: string, host: string, copy = false): this {
    const task = attempt.replace(/_\d+$/, "");
    const where = { host, rack: "/rack1", copy };
    return this.take({ type: "started", at: this.at, attempt, task, ...where });
  }

  end(attempt: string, state: "succeeded" | "failed" | "killed"): this {
    const task = attempt.replace(/_\d+$/, "");
    return this.take({ type: "ended", at: this.at, attempt, task, state, counters: NONE });
  }

  over(): this {
    this.#session.end();
    return this;
  }

  commands(): readonly PolicyLine[] {
    return this.said.filter((line) => "command" in line);
  }

  events<K extends ClusterEvent["kind"]>(kind: K): readonly Extract<ClusterEvent, { kind: K }>[] {
    return [...parseJournal(this.journal).entries].flatMap((entry) =>
      entry.kind === "step" && isOf(entry.event, kind) ? [entry.event] : [],
    );
  }
}

const isOf = <K extends ClusterEvent["kind"]>(
  event: ClusterEvent,
  kind: K,
): event is Extract<ClusterEvent, { kind: K }> => event.kind === kind;

export const status = (attempt: string, permille: number, at: number): AmLine => {
  const counters = { hadoop: {}, broomwagon: { progressPermille: permille } };
  return { type: "status", at, attempt, progress: 1, phase: "MAP", counters };
};

/** Three maps; the map on n1 runs at a tenth of the others' speed. */
export function slowMap(hello: Partial<HelloLine> = {}): Talk {
  const talk = new Talk(hello).take(JOB, FACTS);
  for (const n of [1, 2, 3]) talk.start(`m_00000${n - 1}_0`, `n${n}`);
  return talk.until(8, (at) => {
    const s = (at - HELLO.at) / 1_000;
    return [0, 1, 2].map((m) => status(`m_00000${m}_0`, m === 0 ? 10 * s : 100 * s, at));
  });
}
