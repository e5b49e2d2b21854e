import { InputError } from "../base/input-error.ts";

/** The texts of `--set` for an object of parameters. */
export const setsOf = (
  set: Readonly<Record<string, string | number | boolean>> = {},
): readonly string[] => Object.entries(set).map(([name, value]) => `${name}=${value}`);

/** Does work that reads names; an InputError about a flag names the option of a program. */
export function asOption<T>(work: () => T): T {
  try {
    return work();
  } catch (error) {
    if (!(error instanceof InputError) || !error.place.startsWith("--")) throw error;
    const { code, place, message } = error;
    throw new InputError(code, place.slice("--".length), message.slice(`${place}: `.length));
  }
}
