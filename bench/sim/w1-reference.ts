/**
 * W1 as a loop of forty lines over typed arrays: a binary heap of ends, a queue of jobs. `node
 * w1-reference.js SIZE` prints its sums. It stands for what a program can reach that does nothing
 * but this workload.
 */
import { usage } from "../measure.ts";
import { Draws } from "./w1-draws.ts";
import { sizeOf } from "./w1-model.ts";

const { jobs, tasksPerJob, slots } = sizeOf(process.argv[2]);
const draws = new Draws({ tasksPerJob, slots });
const endsAt = new Float64Array(slots + 1);
const jobOf = new Int32Array(slots + 1);
const arrivedAt = new Float64Array(jobs);
const unfinished = new Int32Array(jobs).fill(tasksPerJob);
let running = 0;
let arrived = 0;
let head = 0;
let waiting = tasksPerJob;
let sumJct = 0;
let makespan = 0;
let nextArrival = draws.arrivalMs();

function push(time: number, job: number): void {
  let at = running++;
  for (let up = (at - 1) >> 1; at > 0 && endsAt[up]! > time; up = (at - 1) >> 1) {
    endsAt[at] = endsAt[up]!;
    jobOf[at] = jobOf[up]!;
    at = up;
  }
  endsAt[at] = time;
  jobOf[at] = job;
}

function pop(): void {
  const time = endsAt[--running]!;
  const job = jobOf[running]!;
  let at = 0;
  for (let down = 1; down < running; down = 2 * at + 1) {
    if (down + 1 < running && endsAt[down + 1]! < endsAt[down]!) down += 1;
    if (endsAt[down]! >= time) break;
    endsAt[at] = endsAt[down]!;
    jobOf[at] = jobOf[down]!;
    at = down;
  }
  endsAt[at] = time;
  jobOf[at] = job;
}

while (running > 0 || arrived < jobs) {
  let now = nextArrival;
  if (running > 0 && endsAt[0]! <= nextArrival) {
    now = endsAt[0]!;
    const job = jobOf[0]!;
    pop();
    unfinished[job] = unfinished[job]! - 1;
    if (unfinished[job] === 0) {
      sumJct += now - arrivedAt[job]!;
      makespan = now;
    }
  } else {
    arrivedAt[arrived++] = now;
    nextArrival = arrived < jobs ? draws.arrivalMs() : Number.POSITIVE_INFINITY;
  }
  while (running < slots && head < arrived) {
    push(now + draws.durationMs(), head);
    waiting -= 1;
    if (waiting > 0) continue;
    head += 1;
    waiting = tasksPerJob;
  }
}

console.log(JSON.stringify({ sumJct, makespan, ...usage() }));
