import { ascending } from "../../../base/order.ts";
import { journalWriter, type Names } from "../../../core/journal/index.ts";
import type { Setup } from "../../../core/state/setup.ts";
import type {
  AmLine,
  EndedLine,
  HelloLine,
  JobLine,
  RecoveredLine,
  StartedLine,
} from "./am-line.ts";
import { type FactsLine, isOfUse } from "./facts.ts";
import { FollowedJob, type PolicyOutput } from "./followed-job.ts";
import { type JobPolicies, NO_OWN_POLICIES } from "./job-policies.ts";
import { plannedName } from "./plan-names.ts";
import { type PolicyLine, PROTOCOL } from "./policy-line.ts";
import { type Chosen, chooseDiscipline, setupOf } from "./set-up.ts";

/** The first of these lines marks the end of what an earlier AM saw. */
const isPresent = ({ type }: AmLine): boolean => type === "started" || type === "job-ended";

/**
 * The work of one ApplicationMaster's child, line by line: its answers and its journal are a
 * function of its input lines. The journal is the core's, and the host's own lines in it hold every
 * line that came in or went out, in its place.
 *
 * Lines wait until the job and the cluster are known, because the core needs its racks at the
 * start.
 */
export class PolicySession {
  readonly #policyOutput: PolicyOutput;
  readonly #policies: JobPolicies;
  #greeting: { readonly hello: HelloLine; readonly chosen: Chosen } | undefined;
  #job: JobLine | undefined;
  #facts: FactsLine | undefined;
  #followed: FollowedJob | undefined;
  /** Lines that came before the job could be followed. */
  #waiting: AmLine[] = [];
  #recovered: RecoveredLine[] = [];
  /** Journal lines that wait for the journal's first line. */
  #unwritten: string[] | undefined = [];

  /** `policies`: all policies that the job may name. */
  constructor(policyOutput: PolicyOutput, policies: JobPolicies = NO_OWN_POLICIES) {
    this.#policyOutput = policyOutput;
    this.#policies = policies;
  }

  /**
   * The client's names of the tasks; undefined if the job is not this project's, or was never
   * followed.
   */
  get names(): Pick<Names, "job" | "task" | "attempt"> | undefined {
    const [names, followed] = [this.#greeting?.hello.names, this.#followed];
    if (names === undefined || followed === undefined) return undefined;
    return {
      job: () => names.job,
      task: (id) => plannedName(names, followed.taskName(id)),
      attempt: (id) => {
        const [, task = "", number = ""] = /^(.*)_(\d+)$/.exec(followed.attemptName(id)) ?? [];
        return `${plannedName(names, task)}#${number}`;
      },
    };
  }

  take(line: AmLine | FactsLine): void {
    this.#record(line.type === "facts" ? "facts" : "from-am", line);
    if (line.type === "hello") this.#greet(line);
    else if (line.type === "recovered") this.#recovered.push(line);
    else if (this.#followed !== undefined) this.#follow(this.#followed, line);
    else this.#wait(line);
    if (line.type === "tick") this.#say({ type: "tock", tick: line.tick });
  }

  /** No line will follow: writes the rest of the journal. */
  end(): void {
    if (this.#unwritten === undefined || this.#greeting === undefined) return;
    const { hello, chosen } = this.#greeting;
    this.#beginJournal(setupOf(hello, chosen.discipline, []));
  }

  #greet(hello: HelloLine): void {
    const chosen = chooseDiscipline(hello, this.#policies);
    this.#greeting = { hello, chosen };
    const { discipline, refusal, remarks, warnings } = chosen;
    if (refusal !== undefined) this.#say({ type: "idle", reason: refusal });
    else this.#say({ type: "ready", protocol: PROTOCOL, discipline: discipline.name });
    for (const text of warnings) this.#say({ type: "log", level: "warn", text });
    for (const text of remarks) this.#say({ type: "log", level: "info", text });
  }

  #wait(line: AmLine | FactsLine): void {
    if (line.type === "facts") this.#facts = line;
    else if (line.type === "job") this.#job = line;
    else if (line.type !== "tick") this.#waiting.push(line);
    const [greeting, job, facts] = [this.#greeting, this.#job, this.#facts];
    if (greeting === undefined || job === undefined || facts === undefined) return;
    if (greeting.hello.amAttempt > 1 && !this.#waiting.some(isPresent)) return;
    this.#followed = this.#begin(greeting, job, facts);
    for (const early of this.#waiting.splice(0)) this.#follow(this.#followed, early);
  }

  #begin(
    { hello, chosen }: { readonly hello: HelloLine; readonly chosen: Chosen },
    job: JobLine,
    facts: FactsLine,
  ): FollowedJob {
    const racks = [...new Set(facts.nodes.filter(isOfUse).map(({ rack }) => rack))];
    const setup = setupOf(hello, chosen.discipline, racks);
    this.#beginJournal(setup);
    // A later AM starts from what an earlier one did.
    const origin = hello.amAttempt > 1 ? Math.min(hello.at, job.submittedAt) : hello.at;
    return new FollowedJob(
      { hello, setup, job, facts, origin },
      { say: (line) => this.#say(line), journal: (line) => this.#write(line) },
    );
  }

  #follow(followed: FollowedJob, line: AmLine | FactsLine): void {
    if (this.#recovered.length > 0) followed.takePast(pastOf(this.#recovered.splice(0)));
    if (line.type === "facts") followed.record(line);
    else followed.take(line);
  }

  #say(line: PolicyLine): void {
    this.#record("to-am", line);
    this.#policyOutput.say(line);
  }

  #record(kind: "from-am" | "to-am" | "facts", line: AmLine | FactsLine | PolicyLine): void {
    this.#write(JSON.stringify({ host: { kind, line } }));
  }

  #write(line: string): void {
    if (this.#unwritten === undefined) this.#policyOutput.journal(line);
    else this.#unwritten.push(line);
  }

  #beginJournal(setup: Setup): void {
    const lines = this.#unwritten ?? [];
    this.#unwritten = undefined;
    this.#write(journalWriter(setup, { explain: true }).header());
    for (const line of lines) this.#write(line);
  }
}

/**
 * The attempts whose ends an earlier AM saw, replayed as starts and ends in order. Attempts without
 * a known node are left out.
 */
function pastOf(lines: readonly RecoveredLine[]): readonly (StartedLine | EndedLine)[] {
  const past: (StartedLine | EndedLine)[] = [];
  for (const { at, attempt, task, state, host, counters, ...line } of lines) {
    if (host === undefined) continue;
    const endedAt = line.endedAt ?? at;
    const startedAt = Math.min(line.startedAt ?? endedAt, endedAt);
    const where = { host, rack: line.rack ?? "", copy: false };
    past.push({ type: "started", at: startedAt, attempt, task, ...where });
    past.push({ type: "ended", at: endedAt, attempt, task, state, counters });
  }
  return past.sort(ascending((line) => line.at));
}
