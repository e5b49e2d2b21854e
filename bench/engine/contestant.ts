import { spawn } from "node:child_process";
import { closeSync, openSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { type Answer, answerOf, type LineOrder } from "./answer.ts";
import { watchMemory } from "./peak-memory.ts";
import { withPlace } from "./place.ts";

/** A program that does the work. */
export interface Contestant {
  readonly name: string;
  /** Why it does not take part on this machine; undefined: it does. */
  absence(): string | undefined;
  /** What is run; its place is an empty directory. */
  command(place: string): Command;
  readonly answers: "in-file" | "on-stdout";
  /** Whole process; or as it says itself on standard output, so that its start is not counted. */
  readonly clock: "whole-process" | "own";
}

export interface Command {
  readonly program: string;
  readonly args: readonly string[];
  readonly environment?: Readonly<Record<string, string>>;
}

/** Where a contestant writes its answer: a file, or a directory of parts. */
export const answerPath = (place: string): string => join(place, "answer");

export interface Measured {
  readonly seconds: number;
  readonly answer: Answer;
  /** What all its processes held at most, where that was asked for. */
  readonly peakBytes: number | undefined;
}

export interface Measuring {
  readonly order: LineOrder;
  readonly memory: boolean;
}

/** Runs it once. Throws if it fails. */
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

/** Without the certificates that Node 20 reads as each process starts, needed or not. */
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
