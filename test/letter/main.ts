import { parseArgs } from "node:util";
import { type Driven, differenceText, drive, SHARED } from "./drive.ts";
import { LETTERS } from "./letters.ts";

/**
 * `npm run letter -- [--decisions N] [--policy NAME] [--seed N]`: every policy against its letter
 * until N decisions in all have been compared. With a seed, only that world. Exits with 1 on any
 * difference, with 2 on an unknown flag.
 */
const values = flags();
const letters = LETTERS.filter(({ policy }) => (values.policy ?? policy) === policy);
if (letters.length === 0) {
  const names = LETTERS.map(({ policy }) => policy).join(", ");
  refuse(`--policy ${values.policy}: expected one of ${names}`);
}
const decisions = values.seed === undefined ? wholeNumber("decisions", values.decisions) : 1;
const from = values.seed === undefined ? 1 : wholeNumber("seed", values.seed);

const COLUMNS = [
  ...(["worlds", "decisions", "copies", "restarts", "kills"] as const),
  ...(["requests", "withdrawals", "differing"] as const),
];
const row = (cells: readonly string[]): string =>
  cells.map((cell, i) => (i === 0 ? cell.padEnd(14) : cell.padStart(12))).join("");

process.stdout.write(`${row(["policy", ...COLUMNS])}\n`);
const shared: Driven[] = [];
const total = Object.fromEntries(COLUMNS.map((column) => [column, 0])) as Record<string, number>;
for (const letter of letters) {
  const driven: Driven = drive(letter, from, decisions / letters.length);
  const cells = COLUMNS.map((column) => {
    total[column] = (total[column] ?? 0) + driven[column];
    return driven[column].toLocaleString("en");
  });
  process.stdout.write(`${row([letter.policy, ...cells])}\n`);
  if (letter.world?.pools !== undefined) shared.push(driven);
  for (const difference of driven.differences.slice(0, 5)) {
    process.stdout.write(`  ${differenceText(difference)}\n`);
  }
}
process.stdout.write(
  `${row(["all", ...COLUMNS.map((column) => (total[column] ?? 0).toLocaleString("en"))])}\n`,
);
if (shared.length > 0) {
  process.stdout.write(`\n${row(["heartbeats", ...SHARED.map(([, header]) => header)])}\n`);
  for (const { policy, shared: what } of shared) {
    const cells = SHARED.map(([name]) => what[name].toLocaleString("en"));
    process.stdout.write(`${row([policy, ...cells])}\n`);
  }
}
process.exitCode = (total.differing ?? 0) > 0 ? 1 : 0;

function flags() {
  try {
    return parseArgs({
      options: {
        decisions: { type: "string", default: "100000" },
        policy: { type: "string" },
        seed: { type: "string" },
      },
    }).values;
  } catch (error) {
    return refuse(error instanceof Error ? error.message : String(error));
  }
}

function wholeNumber(flag: string, text: string): number {
  const number = Number(text);
  if (!Number.isInteger(number) || number < 1) {
    refuse(`--${flag} ${text}: expected a whole number of 1 or more`);
  }
  return number;
}

function refuse(message: string): never {
  process.stderr.write(`${message}\n`);
  process.exit(2);
}
