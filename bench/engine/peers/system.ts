import { spawnSync } from "node:child_process";
import { answerPath, type Contestant } from "../contestant.ts";

/** Makes GNU's tools work on bytes. */
const environment = { LC_ALL: "C" };

/** GNU sort on two threads, with this much memory. */
export const gnuSort = (file: string, memory: string): Contestant => ({
  name: "GNU sort",
  answers: "in-file",
  clock: "whole-process",
  absence: () => absenceOf("sort"),
  command(place) {
    const files = [`--temporary-directory=${place}`, `--output=${answerPath(place)}`, file];
    return { program: "sort", args: ["--parallel=2", "-S", memory, ...files], environment };
  },
});

/** GNU grep, counting the lines that contain a text. */
export const gnuGrep = (file: string, literal: string): Contestant =>
  counting("GNU grep", "grep", ["--count", "--fixed-strings", literal, file]);

export const ripgrep = (file: string, literal: string): Contestant =>
  counting("ripgrep", "rg", ["--no-config", "--count", "--fixed-strings", literal, file]);

const counting = (name: string, program: string, args: readonly string[]): Contestant => ({
  name,
  answers: "on-stdout",
  clock: "whole-process",
  absence: () => absenceOf(program),
  command: () => ({ program, args, environment }),
});

function absenceOf(program: string): string | undefined {
  const { error } = spawnSync(program, ["--version"], { stdio: "ignore" });
  return error === undefined ? undefined : `${program} is not installed`;
}
