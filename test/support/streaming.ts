import { spawnSync } from "node:child_process";
import {
  appendFileSync,
  closeSync,
  ftruncateSync,
  mkdirSync,
  openSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
  writeSync,
} from "node:fs";
import { dirname, join } from "node:path";
import { defined } from "../../src/base/assert.ts";
import type { InputPlan } from "../../src/data/index.ts";
import { type DatasetPart, ProgramCourse } from "../../src/data/task/course.ts";
import { jobFiles, type ShippedFacts } from "../../src/hosts/yarn/client/job-files.ts";
import { type MapReduceJob, mapReduceJobs } from "../../src/hosts/yarn/client/map-reduce-jobs.ts";
import { shipJob } from "../../src/hosts/yarn/task/ship.ts";
import {
  type InputCopy,
  JOB_FILE,
  RESULTS_DIRECTORY,
  RUNNER,
  SHIPMENT,
  type TaskLine,
  type TaskResult,
} from "../../src/hosts/yarn/task/task-list.ts";
import type { Program } from "../../src/job/program.ts";

/** The prefix for an absolute path on this machine that plays a path in Hadoop's file system. */
export const STORE = "hdfs://twin:1";

/** The outcome of a container. */
export interface Contained {
  readonly status: number | null;
  readonly output: Buffer;
  readonly stderr: string;
}

export interface StreamedRun {
  readonly results: readonly TaskResult[];
  readonly counters: Readonly<Record<string, number>>;
  readonly stderr: string;
}

export interface StreamedQuery {
  readonly file: string;
  readonly program: Program;
  /** Of files of this machine. */
  readonly inputs: ReadonlyMap<string, InputPlan>;
  readonly reduces: number;
  readonly memoryBytes: number;
  /** A directory that exists, for the parts; of several outputs, each in one of its name. */
  readonly output: string;
}

/**
 * A small twin of Hadoop's streaming with our own jobs: containers are directories, the runner is
 * the real one, a process for each task, and the shuffle sorts frames by the bytes of their keys.
 * Failed tasks are not retried.
 */
export class StreamingTwin {
  readonly #root: string;
  #containers = 0;
  #jobs = 0;
  #stderr = "";

  /** A directory that exists. */
  constructor(root: string) {
    this.#root = root;
  }

  /** The whole program, job after job. */
  async run(query: StreamedQuery): Promise<StreamedRun> {
    const { program, inputs, reduces, memoryBytes: bytes } = query;
    const shipped = await this.ship(query.file);
    const plans = new Map(Array.from(inputs, ([name, plan]) => [name, stored(plan)]));
    const course = new ProgramCourse({ program, name: "job", inputs: plans, reduces });
    const all: TaskResult[] = [];
    const sums: Record<string, number> = {};
    for (let job = course.job(); job !== undefined; job = course.job()) {
      const runs = new Map<string, DatasetPart>();
      const datasets = new Map<number, DatasetPart[]>();
      const counters: Record<string, number> = {};
      for (const each of mapReduceJobs(job, program.outputs)) {
        const facts: ShippedFacts = {
          ...{ program: shipped, params: program.params, onBadRecord: "fail", compress: false },
          ...{ memory: { map: bytes, reduce: bytes }, hosts: new Map(), runs },
        };
        const directory = this.mapReduce(each, facts);
        const results = resultsIn(directory);
        all.push(...results);
        for (const result of results) add(counters, result);
        for (const part of partsOf(each)) {
          const path = join(directory, part.name);
          const found = { path: `${STORE}${path}`, bytes: statSync(path).size };
          if (part.kind === "run") runs.set(part.name, found);
          else if (part.kind === "dataset") {
            datasets.set(part.of, [...(datasets.get(part.of) ?? []), found]);
          } else this.#commit(path, part, query);
        }
      }
      for (const [name, by] of Object.entries(counters)) sums[name] = (sums[name] ?? 0) + by;
      course.ended({ counters, datasets });
    }
    return { results: all, counters: sums, stderr: this.#stderr };
  }

  /** Unpacks the archive where every container finds it. */
  async ship(file: string): Promise<ShippedFacts["program"]> {
    const { program, archive } = await shipJob({ file, into: join(this.#root, "ship") });
    const to = join(this.#root, SHIPMENT);
    mkdirSync(to);
    const { status, stderr } = spawnSync("tar", ["-xzf", archive, "-C", to]);
    if (status !== 0) throw new Error(`tar: ${stderr}`);
    return program;
  }

  /** Runs one Hadoop job; returns the directory of its output. */
  mapReduce(planned: MapReduceJob, facts: ShippedFacts): string {
    const { job, lines, tables } = jobFiles(planned, facts);
    const directory = join(this.#root, `job-${this.#jobs++}`);
    mkdirSync(directory);
    const about = { job, tables };
    const frames: Frame[] = [];
    for (const { line } of lines) {
      const input = frame(Buffer.alloc(0), Buffer.from(JSON.stringify(line)));
      const done = this.container({ ...about, role: "map", input, ...copying(line) });
      frames.push(...framesOf(this.#well(done)));
    }
    if (job.reduces === undefined) {
      write(directory, frames);
      return directory;
    }
    frames.sort((x, y) => Buffer.compare(x.key, y.key));
    for (const partition of job.reduces.parts.keys()) {
      const its = frames.filter(({ key }) => key.readUInt32BE(0) === partition);
      const input = Buffer.concat(its.map(({ key, value }) => frame(key, value)));
      const done = this.container({ ...about, role: "reduce", input, partition });
      write(directory, framesOf(this.#well(done)));
    }
    return directory;
  }

  /** Runs the runner in a directory with the files that Hadoop would put there. */
  container(query: {
    readonly job: unknown;
    readonly tables: readonly { readonly uri: string; readonly name: string }[];
    readonly role: "map" | "reduce";
    readonly input: Buffer;
    readonly partition?: number;
    readonly copy?: InputCopy;
  }): Contained {
    const { job, tables, role, input, partition = 0, copy } = query;
    const cwd = join(this.#root, `container-${this.#containers++}`);
    mkdirSync(cwd);
    writeFileSync(join(cwd, JOB_FILE), JSON.stringify(job));
    symlinkSync(join(this.#root, SHIPMENT), join(cwd, SHIPMENT));
    for (const { uri, name } of tables) symlinkSync(uri.slice(STORE.length), join(cwd, name));
    if (copy !== undefined) copyInto(cwd, copy);
    const env = {
      ...process.env,
      NM_HOST: "n1",
      mapreduce_task_attempt_id: `attempt_1_0001_${role.charAt(0)}_00000${partition}_0`,
      mapreduce_task_partition: String(partition),
    };
    const command = [join(SHIPMENT, RUNNER), role];
    const maxBuffer = 256 * 1024 * 1024;
    const done = spawnSync(process.execPath, command, { cwd, env, input, maxBuffer });
    const left = readdirSync(cwd).filter((name) => name.startsWith("task-"));
    if (done.status === 0 && left.length > 0) throw new Error("something is left of the task");
    rmSync(cwd, { recursive: true });
    return { status: done.status, output: done.stdout, stderr: done.stderr.toString() };
  }

  #well({ status, output, stderr }: Contained): Buffer {
    this.#stderr += stderr;
    if (status !== 0) throw new Error(`a container ended with ${status}: ${stderr}`);
    return output;
  }

  #commit(
    path: string,
    { of, name }: { readonly of: number; readonly name: string },
    { program, output }: StreamedQuery,
  ): void {
    const { outputs } = program;
    const own = outputs.length > 1 ? join(output, defined(outputs[of], "an output").name) : output;
    mkdirSync(own, { recursive: true });
    const to = join(own, defined(name.split("/").at(-1), "a file's name"));
    writeFileSync(to, readFileSync(path), { flag: "wx" });
  }
}

/** The names that the client would give to their files. */
const stored = ({ splits, totalBytes }: InputPlan): InputPlan => ({
  totalBytes,
  splits: splits.map((split) => ({ ...split, file: `${STORE}${split.file}` })),
});

const partsOf = ({ maps, parts }: MapReduceJob) => [
  ...maps.flatMap(({ part }) => (part === undefined ? [] : [part])),
  ...parts,
];

const copying = ({ copy }: TaskLine) => (copy === undefined ? {} : { copy });

/** Does the work of the Java side: see InputCopy.java. */
function copyInto(cwd: string, copy: InputCopy): void {
  const { path, fileBytes, head, from, to, toLineEnd } = copy;
  const target = join(cwd, path);
  mkdirSync(dirname(target), { recursive: true });
  const source = readFileSync(path.slice(STORE.length));
  const lineEnd = toLineEnd && to > 0 ? source.indexOf("\n", to - 1) + 1 || source.length : to;
  const file = openSync(target, "w");
  ftruncateSync(file, fileBytes);
  for (const [start, end] of [
    [0, head],
    [from, lineEnd],
  ] as const) {
    writeSync(file, source.subarray(start, end), 0, end - start, start);
  }
  closeSync(file);
}

interface Frame {
  readonly key: Buffer;
  readonly value: Buffer;
}

export function frame(key: Buffer, value: Buffer): Buffer {
  const lengths = [key, value].map(({ length }) => {
    const bytes = Buffer.alloc(4);
    bytes.writeInt32BE(length);
    return bytes;
  });
  const [ofKey = Buffer.alloc(0), ofValue = Buffer.alloc(0)] = lengths;
  return Buffer.concat([ofKey, key, ofValue, value]);
}

export function framesOf(bytes: Buffer): readonly Frame[] {
  const frames: Frame[] = [];
  for (let at = 0; at < bytes.length; ) {
    const keyEnd = at + 4 + bytes.readInt32BE(at);
    const end = keyEnd + 4 + bytes.readInt32BE(keyEnd);
    frames.push({ key: bytes.subarray(at + 4, keyEnd), value: bytes.subarray(keyEnd + 4, end) });
    at = end;
  }
  return frames;
}

/** Does the work of PartOutputFormat. */
function write(directory: string, frames: readonly Frame[]): void {
  for (const { key, value } of frames) {
    const path = join(directory, key.toString());
    mkdirSync(dirname(path), { recursive: true });
    appendFileSync(path, value);
  }
}

function resultsIn(directory: string): readonly TaskResult[] {
  const own = join(directory, RESULTS_DIRECTORY);
  const lines = readdirSync(own).flatMap((name) =>
    readFileSync(join(own, name), "utf8").trimEnd().split("\n"),
  );
  return lines.map((line): TaskResult => JSON.parse(line));
}

function add(counters: Record<string, number>, { result }: TaskResult): void {
  const made = result?.kind === "part" ? result.part : result?.output;
  for (const [name, by] of Object.entries(made?.counters ?? {})) {
    counters[name] = (counters[name] ?? 0) + by;
  }
}
