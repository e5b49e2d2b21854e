import { spawn } from "node:child_process";
import { closeSync, openSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { type Answer, answerOf, type LineOrder } from "./answer.ts";
import { watchMemory } from "./peak-memory.ts";
import { withPlace } from "./place.ts";

/** A program that does the work. */
export interface Contestant {
  readonly name: string;
  /** Why the contestant cannot run on this machine; undefined if it can. */
  absence(): string | undefined;
  /** The command to run; `place` is an empty directory. */
  command(place: string): Command;
  readonly answers: "in-file" | "on-stdout";
  /**
   * The time of the whole process, or the time that the process itself prints on standard output,
   * without its start.
   */
  readonly clock: "whole-process" | "own";
  /** The same run by another checkout of this project; absent for peers. */
  inTree?(root: string): Contestant;
}

export interface Command {
  readonly program: string;
  readonly args: readonly string[];
  readonly environment?: Readonly<Record<string, string>>;
}

/** The path at which a contestant writes its answer: a file, or a directory of parts. */
export const answerPath = (place: string): string => join(place, "answer");

export interface Measured {
  readonly seconds: number;
  readonly answer: Answer;
  /** The peak memory of all of its processes, where requested. */
  readonly peakBytes: number | undefined;
}

export interface Measuring {
  readonly order: LineOrder;
  readonly memory: boolean;
}

/** Runs the contestant once. Throws if it fails. */
export function measure(contestant: Contestant, measuring: Measuring): Promise<Measured> {
  return withPlace(async (place) => {
    const printed = join(place, "stdout");
    const { wholeSeconds, peakBytes } = await runCommand(contestant, place, measuring.memory);
    const path = contestant.answers === "in-file" ? answerPath(place) : printed;
    const seconds = contestant.clock === "own" ? ownSeconds(printed) : wholeSeconds;
    return { seconds, peakBytes, answer: answerOf(path, measuring.order) };
  });
}

async function runCommand(
  contestant: Contestant,
  place: string,
  memory: boolean,
): Promise<{ readonly wholeSeconds: number; readonly peakBytes: number | undefined }> {
  const { program, args, environment } = contestant.command(place);
  const out = openSync(join(place, "stdout"), "w");
  const errors = openSync(join(place, "stderr"), "w");
  const before = performance.now();
  const child = spawn(program, args, {
    stdio: ["ignore", out, errors],
    env: { ...environmentOfAll(), ...environment },
  });
  const watch = memory && child.pid !== undefined ? watchMemory(child.pid) : undefined;
  const code = await new Promise<number | null>((resolve, reject) => {
    child.once("error", reject);
    child.once("exit", resolve);
  });
  const wholeSeconds = (performance.now() - before) / 1000;
  closeSync(out);
  closeSync(errors);
  const peakBytes = watch?.end();
  if (code !== 0) {
    const said = readFileSync(join(place, "stderr"), "utf8").trim();
    throw new Error(`${contestant.name} ended with ${code}: ${said.slice(-2000)}`);
  }
  return { wholeSeconds, peakBytes };
}

/** Without the certificates, which Node 20 reads at the start of each process, needed or not. */
function environmentOfAll(): NodeJS.ProcessEnv {
  const { NODE_EXTRA_CA_CERTS: _, ...others } = process.env;
  return others;
}

/** The last line is `{"seconds": 1.5}`. */
function ownSeconds(printed: string): number {
  const last = readFileSync(printed, "utf8").trim().split("\n").at(-1) ?? "";
  const told: unknown = JSON.parse(last);
  if (typeof told === "object" && told !== null && "seconds" in told) {
    const { seconds } = told;
    if (typeof seconds === "number") return seconds;
  }
  throw new Error(`expected its seconds, found ${last}`);
}
