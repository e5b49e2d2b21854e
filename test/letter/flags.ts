import { parseArgs } from "node:util";

type Options = Record<string, { type: "string"; default?: string }>;

/** The command's flags, each with a value. A wrong flag ends the program with 2. */
export function flags<O extends Options>(options: O) {
  try {
    return parseArgs({ options }).values;
  } catch (error) {
    return refuse(error instanceof Error ? error.message : String(error));
  }
}

export function wholeNumber(flag: string, text: string, least = 1): number {
  const number = Number(text);
  if (!Number.isInteger(number) || number < least) {
    refuse(`--${flag} ${text}: expected a whole number of ${least} or more`);
  }
  return number;
}

/** The one of that name; all of them without a name. */
export function named<T>(flag: string, all: ReadonlyMap<string, T>, name?: string): readonly T[] {
  if (name === undefined) return [...all.values()];
  const one = all.get(name);
  return one === undefined
    ? refuse(`--${flag} ${name}: expected one of ${[...all.keys()].join(", ")}`)
    : [one];
}

function refuse(message: string): never {
  process.stderr.write(`${message}\n`);
  process.exit(2);
}
