import { assert, defined } from "../../base/assert.ts";
import { isList, isObject, type Json, type JsonObject } from "../../base/json.ts";
import { AlikeTasks } from "../../model/alike-tasks.ts";
import {
  instant,
  type JobId,
  jobId,
  type PhaseId,
  phaseId,
  slotKind,
  type TaskId,
  taskId,
} from "../../model/ids.ts";
import {
  type EdgeStart,
  type Job,
  type Phase,
  PRIORITIES,
  type Stage,
  type Task,
} from "../../model/job.ts";
import { type Fields, numberFrom, written } from "./fields.ts";
import type { Names } from "./names.ts";

/** No phase has more tasks: a larger number is damaged. */
const TASKS_MAX = 10_000_000;

/**
 * A whole job, compactly: a field that all tasks of a phase share is written once. Ids are dense
 * and follow from the order of the lines; a job whose ids are not the next ones gives them in
 * `ids`.
 */
export class JobLines {
  readonly #names: Names;
  readonly #slotKinds: readonly string[];
  #nextPhase = 0;
  #nextTask = 0;

  constructor(names: Names, slotKinds: readonly string[]) {
    this.#names = names;
    this.#slotKinds = slotKinds;
  }

  write(job: Job): JsonObject {
    const firstPhase = job.phases[0]?.id ?? phaseId(this.#nextPhase);
    const firstTask = firstTaskOf(job) ?? taskId(this.#nextTask);
    const ids = [job.id, firstPhase, firstTask];
    const dense = String(ids) === String([this.#names.nextJob, this.#nextPhase, this.#nextTask]);
    this.#nextPhase = firstPhase;
    this.#nextTask = firstTask;
    return {
      job: job.name,
      ...(dense ? {} : { ids }),
      user: job.user,
      pool: job.pool,
      priority: job.priority,
      submittedAt: job.submittedAt,
      ...(job.speculate === undefined ? {} : { speculate: job.speculate }),
      phases: job.phases.map((phase) => this.#writePhase(job, phase)),
    };
  }

  #writePhase(job: Job, phase: Phase): JsonObject {
    assert(phase.id === this.#nextPhase, "a job's phases have ids in their order");
    this.#nextPhase += 1;
    const { length } = phase.tasks;
    // Alike tasks need no look at each: they have ids in their order, and the first stands for all.
    const first = phase.tasks.at(0);
    const areAlike = phase.tasks instanceof AlikeTasks && first !== undefined;
    const tasks = areAlike ? [first] : [...phase.tasks];
    for (const [index, { id }] of tasks.entries()) {
      assert(id === this.#nextTask + index, "a job's tasks have ids in their order");
    }
    this.#nextTask += length;
    const bytes = tasks.map((task) =>
      task.inputBytes === undefined ? null : written(task.inputBytes),
    );
    const replicas = tasks.map((task) => task.replicas.map((node) => this.#names.node(node)));
    const pins = tasks.map(({ firstOn }) =>
      firstOn === undefined ? null : this.#names.node(firstOn),
    );
    const stages = tasks.map((task) => task.stages.map(({ name, share }) => [name, share]));
    const firstPhase = job.phases[0]?.id ?? phase.id;
    return {
      phase: phase.name,
      slots: phase.slots.map((kind) => defined(this.#slotKinds[kind], `slot kind ${kind}`)),
      after: phase.after.map((edge) => [
        defined(job.phases[edge.phase - firstPhase], `phase ${edge.phase}`).name,
        edge.start.when === "fraction" ? edge.start.of : edge.start.when,
      ]),
      ...(phase.gapMs === undefined ? {} : { gapMs: written(phase.gapMs) }),
      ...(phase.speculate === undefined ? {} : { speculate: phase.speculate }),
      tasks: length,
      ...(bytes.some((one) => one !== null) ? { inputBytes: column(bytes) } : {}),
      ...(replicas.some((one) => one.length > 0) ? { replicas: column(replicas) } : {}),
      ...(pins.some((one) => one !== null) ? { firstOn: column(pins) } : {}),
      stages: column(stages),
    };
  }

  read(fields: Fields): Job {
    const ids = fields.has("ids") ? fields.numbers("ids") : [];
    const [job = this.#names.nextJob, phase = this.#nextPhase, task = this.#nextTask] = ids;
    this.#nextPhase = phase;
    this.#nextTask = task;
    const names = fields.rows("phases").map((row) => row.text("phase"));
    return {
      id: jobId(job),
      name: fields.text("job"),
      user: fields.text("user"),
      pool: fields.text("pool"),
      priority: fields.oneOf("priority", PRIORITIES),
      submittedAt: instant(fields.number("submittedAt")),
      ...(fields.has("speculate") ? { speculate: fields.flag("speculate") } : {}),
      phases: fields
        .rows("phases")
        .map((row) =>
          this.#readPhase(row, jobId(job), (name) => phaseId(phase + names.indexOf(name))),
        ),
    };
  }

  #readPhase(row: Fields, job: JobId, idOf: (name: string) => PhaseId): Phase {
    const id = phaseId(this.#nextPhase);
    this.#nextPhase += 1;
    const count = row.whole("tasks", TASKS_MAX);
    const bytes = rows(row, "inputBytes", count);
    const replicas = rows(row, "replicas", count);
    const pins = rows(row, "firstOn", count);
    const stages = rows(row, "stages", count);
    const sharedStages = new Map<Json, readonly Stage[]>();
    const first = taskId(this.#nextTask);
    const task = (index: number): Omit<Task, "id" | "index"> => {
      const inputBytes = numberFrom(bytes(index) ?? undefined);
      const firstOn = this.#pin(pins(index) ?? null, row);
      const found = stages(index) ?? [];
      const read = sharedStages.get(found) ?? stagesFrom(found, row);
      sharedStages.set(found, read);
      return {
        phase: id,
        ...(inputBytes === undefined ? {} : { inputBytes }),
        replicas: this.#nodes(replicas(index) ?? [], row),
        ...(firstOn === undefined ? {} : { firstOn }),
        stages: read,
      };
    };
    const areAlike = COLUMNS.every((name) => !isColumnOfEach(row, name));
    const tasks =
      areAlike && count > 0
        ? new AlikeTasks(first, count, task(0))
        : Array.from(
            { length: count },
            (_, index): Task => ({ id: taskId(first + index), index, ...task(index) }),
          );
    this.#nextTask += count;
    return {
      id,
      name: row.text("phase"),
      job,
      slots: row.texts("slots").map((name) => {
        const kind = this.#slotKinds.indexOf(name);
        return kind < 0 ? row.fail("slots", `of ${this.#slotKinds.join(", ")}`) : slotKind(kind);
      }),
      after: row.pairs("after").map(([name, start]) => {
        if (idOf(name) >= id) row.fail("after", "edges to earlier phases");
        return { phase: idOf(name), start: startFrom(start, row) };
      }),
      ...(row.has("gapMs") ? { gapMs: row.number("gapMs") } : {}),
      ...(row.has("speculate") ? { speculate: row.flag("speculate") } : {}),
      tasks,
    };
  }

  /** The node of a pin may not have joined yet. */
  #pin(name: Json, row: Fields) {
    if (name === null) return undefined;
    const node = typeof name === "string" ? this.#names.findNode(name) : undefined;
    return node ?? row.fail("firstOn", "names of nodes, or @ and their ids");
  }

  #nodes(list: Json, row: Fields) {
    if (!isList(list)) return row.fail("replicas", "lists of nodes");
    return list.map((name) => {
      const node = typeof name === "string" ? this.#names.findNode(name) : undefined;
      return node ?? row.fail("replicas", "names of nodes that have joined");
    });
  }
}

/** One value that all tasks share, or a value for each task. */
function column(values: readonly Json[]): Json {
  const first = JSON.stringify(values[0] ?? null);
  const same = values.every((value) => JSON.stringify(value) === first);
  return same ? { all: values[0] ?? null } : { each: values };
}

const COLUMNS = ["inputBytes", "replicas", "firstOn", "stages"];

function isColumnOfEach(row: Fields, key: string): boolean {
  const value = row.find(key);
  return value !== undefined && isObject(value) && value.all === undefined;
}

function rows(row: Fields, key: string, count: number): (index: number) => Json | undefined {
  const value = row.find(key);
  if (value === undefined) return () => undefined;
  const { all, each } = isObject(value) ? value : {};
  if (all !== undefined) return () => all;
  if (each === undefined || !isList(each) || each.length !== count) {
    return row.fail(key, `{"all": value} or {"each": [${count} values]}`);
  }
  return (index) => each[index];
}

function stagesFrom(list: Json, row: Fields): readonly Stage[] {
  if (!isList(list)) return row.fail("stages", "lists of name and share");
  return list.map((one) => {
    const [name, share] = isList(one) ? one : [];
    if (typeof name === "string" && typeof share === "number") return { name, share };
    return row.fail("stages", "lists of name and share");
  });
}

function startFrom(start: Json, row: Fields): EdgeStart {
  if (typeof start === "number") return { when: "fraction", of: start };
  if (start === "done" || start === "pipelined") return { when: start };
  return row.fail("after", 'pairs of a phase and "done", "pipelined" or a fraction');
}

/** The first task of the first phase that has any. */
function firstTaskOf({ phases }: Job): TaskId | undefined {
  return phases.find(({ tasks }) => tasks.length > 0)?.tasks.at(0)?.id;
}
