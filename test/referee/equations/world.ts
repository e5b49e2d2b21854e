import {
  attemptId,
  createScheduler,
  instant,
  jobId,
  nodeId,
  phaseId,
  rackId,
  type Scheduler,
  SETUP_DEFAULTS,
  slotKind,
  taskId,
} from "../../../src/core/index.ts";
import { type Action, type Discipline, parseDiscipline } from "../../../src/policy/index.ts";
import { Dice } from "../../letter/dice.ts";
import type { Told } from "../../letter/events.ts";
import { mean, same } from "../figures.ts";
import { Counts, type Difference, type Judged } from "../referee.ts";
import { type AttemptBook, type JobBook, lengthOf, type NodeBook, readingAt } from "./books.ts";
import { Equations } from "./equations.ts";
import { drawJobs, drawLife, drawNodes, type Habits, habits } from "./plan.ts";

const MOMENTS_MAX = 500;
const NEVER_MS = 1e9;

/** A world whose scheduler asks for estimates, each of which is compared. */
export class EquationsWorld {
  readonly #seed: number;
  readonly #dice: Dice;
  readonly #nodes: readonly NodeBook[];
  readonly #jobs: readonly JobBook[];
  readonly #habits: Habits;
  readonly #equations = new Equations();
  readonly #attempts = new Map<number, AttemptBook>();
  readonly #counts = new Counts();
  readonly #scheduler: Scheduler;
  #wakes: number[] = [];
  #now = 0;
  #difference: Difference | undefined;

  constructor(seed: number) {
    this.#seed = seed;
    this.#dice = new Dice(seed);
    this.#habits = habits(this.#dice);
    this.#nodes = drawNodes(this.#dice);
    this.#jobs = drawJobs(this.#dice, this.#nodes);
    this.#scheduler = createScheduler({
      ...SETUP_DEFAULTS,
      ...{ seed, slotKinds: ["map"], racks: ["r0", "r1"], askAgainMs: NEVER_MS },
      capabilities: ["slot-offers", "kill-restart", "kill-only"],
      discipline: this.#compared(parseDiscipline("mantri-restart", [])),
    });
  }

  judge(): Judged {
    for (const node of this.#nodes) this.#join(node);
    for (let moment = 0; moment < MOMENTS_MAX && this.#difference === undefined; moment++) {
      for (const job of this.#jobs) {
        if (!job.submitted && job.submittedAt <= this.#now) this.#submit(job);
      }
      this.#happen();
      for (const node of this.#dice.shuffled(this.#nodes)) this.#offer(node);
      if (this.#jobs.every(({ ended }) => ended)) break;
      this.#advance(this.#now + this.#dice.whole(200, 4_000));
    }
    return { compared: this.#counts.counts, difference: this.#difference };
  }

  /** Mantri, with an estimator each of whose answers is compared. */
  #compared(discipline: Discipline): Discipline {
    const { policy, params } = discipline.estimator;
    const { timeLeft, newCopy } = policy;
    const compare = this.#compare.bind(this);
    const [equations, attempts] = [this.#equations, this.#attempts];
    const nodes = this.#nodes;
    const tasks = new Map(this.#jobs.flatMap((job) => job.tasks).map((task) => [task.id, task]));
    const now = (): number => this.#now;
    return {
      ...discipline,
      estimator: {
        params,
        policy: {
          ...policy,
          timeLeft(ctx, id) {
            const found = timeLeft.call(policy, ctx, id);
            const attempt = attempts.get(id);
            if (attempt === undefined) return found;
            const { ms, part } = equations.timeLeft(attempt, now());
            compare(`eq. 2, ${part}`, `t_rem of attempt ${id}`, ms, found);
            return found;
          },
          newCopy(ctx, id, on) {
            const found = newCopy?.call(policy, ctx, id, on) ?? { kind: "unknown" };
            const task = tasks.get(id);
            if (task === undefined) throw new Error(`no task ${id}`);
            const expected = equations.newCopy(task, on === undefined ? undefined : nodes[on]);
            const where = on === undefined ? "eq. 3" : "eq. 3 on a node";
            const samples =
              found.kind === "scaled"
                ? found.rising.map((rate) => rate * found.times + found.plus)
                : [];
            const what = `t_new of task ${id} on ${on ?? "any node"}`;
            compare(where, `${what}, samples`, expected?.length ?? 0, samples.length);
            for (const [rank, ms] of (expected ?? []).entries()) {
              compare(where, `${what}, sample ${rank}`, ms, samples[rank] ?? Number.NaN);
            }
            if (found.kind === "scaled" && samples.length > 0) {
              const stretched = found.mean * found.times + found.plus;
              compare(where, `E(t_new) of task ${id}`, mean(samples), stretched);
            }
            return found;
          },
        },
      },
    };
  }

  #compare(kind: string, where: string, expected: number, found: number): void {
    this.#counts.add(kind);
    if (same(expected, found)) return;
    this.#difference ??= {
      ...{ referee: "equations", seed: this.#seed, at: this.#now, where },
      ...{ expected: String(expected), found: String(found) },
    };
  }

  #advance(to: number): void {
    for (;;) {
      const next = Math.min(...this.#wakes.filter((at) => at > this.#now));
      if (next > to) break;
      this.#now = next;
      this.#wakes = this.#wakes.filter((at) => at > next);
      this.#equations.look(next);
      this.#send({ kind: "woken" });
    }
    this.#now = to;
  }

  #join({ id, rack, slots }: NodeBook): void {
    this.#send({
      kind: "node-joined",
      node: {
        ...{ id: nodeId(id), name: `n${id}`, rack: rackId(rack) },
        slots: [{ kind: slotKind(0), count: slots }],
      },
    });
  }

  #submit(job: JobBook): void {
    job.submitted = true;
    this.#equations.submit(job);
    const id = phaseId(job.id);
    this.#send({
      kind: "job-submitted",
      job: {
        ...{ id: jobId(job.id), name: `job-${job.id}`, user: "u", pool: "p", speculate: true },
        ...{ priority: "normal", submittedAt: instant(this.#now) },
        phases: [
          {
            ...{ id, name: "maps", job: jobId(job.id), slots: [slotKind(0)], after: [] },
            tasks: job.tasks.map((task) => ({
              ...{ id: taskId(task.id), phase: id, index: task.index, inputBytes: task.bytes },
              ...{ replicas: task.replicas.map(nodeId), stages: [{ name: "map", share: 1 }] },
            })),
          },
        ],
      },
    });
  }

  /** Attempts start, report and end. */
  #happen(): void {
    for (const attempt of this.#attempts.values()) {
      const { life, startsAt, state } = attempt;
      if (state === "dying") {
        if (this.#dice.chance(0.7)) this.#confirmKill(attempt);
      } else if (state === "launched") {
        if (startsAt <= this.#now) this.#start(attempt);
      } else if (state === "running" && startsAt + lengthOf(life) <= this.#now) {
        this.#succeed(attempt);
      } else if (state === "running" && attempt.nextReportAt <= this.#now) this.#report(attempt);
    }
  }

  #start(attempt: AttemptBook): void {
    const { as, id, node, task } = attempt;
    attempt.startsAt = this.#now;
    attempt.state = "running";
    this.#equations.start(attempt);
    const progress = this.#read(attempt);
    this.#send({
      ...{ kind: "attempt-started", attempt: attemptId(id), task: taskId(task.id) },
      ...{ node: nodeId(node.id), as: as === "restart" ? "original" : as, progress },
    });
  }

  #report(attempt: AttemptBook): void {
    const progress = this.#read(attempt);
    this.#send({ kind: "attempt-progressed", attempt: attemptId(attempt.id), progress });
  }

  /** Writes down what the attempt has done by now. */
  #read(attempt: AttemptBook) {
    const reading = readingAt(attempt, this.#now);
    attempt.readings.push(reading);
    attempt.nextReportAt = this.#now + this.#habits.nextReportMs();
    return {
      ...{ kind: "reported" as const, stage: 0, score: reading.score, bytesRead: reading.bytes },
      ...{ bytesWritten: 0, records: 0, at: instant(this.#now), changedAt: instant(this.#now) },
    };
  }

  #succeed(attempt: AttemptBook): void {
    this.#end(attempt);
    this.#equations.succeed(attempt);
    const output = { bytes: 0, records: 1 };
    this.#send({ kind: "attempt-succeeded", attempt: attemptId(attempt.id), output });
  }

  #end(attempt: AttemptBook): void {
    attempt.state = "ended";
    attempt.endedAt = this.#now;
  }

  #confirmKill(attempt: AttemptBook): void {
    this.#end(attempt);
    this.#equations.kill(attempt);
    this.#send({ kind: "attempt-killed", attempt: attemptId(attempt.id), by: "us" });
  }

  #offer({ id, slots }: NodeBook): void {
    const holds = [...this.#attempts.values()].filter(
      ({ node, state }) => node.id === id && state !== "ended",
    );
    const free = slots - holds.length;
    if (free <= 0 || !this.#dice.chance(0.8)) return;
    this.#send({
      ...{ kind: "slots-offered", node: nodeId(id) },
      free: [{ kind: slotKind(0), count: free }],
    });
  }

  #send(event: Told): void {
    if (this.#difference !== undefined) return;
    const { actions } = this.#scheduler.step({ ...event, at: instant(this.#now) } as never);
    for (const action of actions) this.#enter(action);
  }

  #enter(action: Action): void {
    switch (action.kind) {
      case "wake":
        if (action.at < NEVER_MS) this.#wakes.push(action.at);
        break;
      case "launch":
        this.#launch(action);
        break;
      case "kill": {
        const attempt = this.#attempts.get(action.attempt);
        if (attempt !== undefined && attempt.state !== "ended") attempt.state = "dying";
        break;
      }
      case "end-job": {
        const job = this.#jobs[action.job]!;
        job.ended = true;
        this.#equations.end(job);
        break;
      }
      default:
    }
  }

  #launch({ as, attempt: id, node: on, task: of }: Extract<Action, { kind: "launch" }>): void {
    const task = this.#jobs.flatMap(({ tasks }) => tasks).find(({ id }) => id === of)!;
    const node = this.#nodes[on]!;
    const attempt: AttemptBook = {
      ...{ id, task, node, as: as as AttemptBook["as"], launchedAt: this.#now },
      ...{ state: "launched", endedAt: Number.NaN, readings: [], nextReportAt: 0 },
      startsAt: this.#now + this.#habits.lagMs(),
      life: drawLife(this.#dice, { task, node, habits: this.#habits }),
    };
    task.attempts.push(attempt);
    this.#attempts.set(id, attempt);
  }
}
