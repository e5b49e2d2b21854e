import type { Numbers } from "../../model/why.ts";
import { bytes, number, seconds } from "../quantity.ts";

/** The numbers of a why with their units; undefined where a number is missing or has no value. */
export class Figures {
  readonly #numbers: Numbers;

  constructor(numbers: Numbers) {
    this.#numbers = numbers;
  }

  /** `2.1 s`. */
  time(name: string): string | undefined {
    return this.#written(name, seconds);
  }

  /** A rate of progress per millisecond: `0.31/s`. */
  rate(name: string): string | undefined {
    return this.#written(name, (perMs) => `${Number((perMs * 1_000).toPrecision(2))}/s`);
  }

  bytes(name: string): string | undefined {
    return this.#written(name, bytes);
  }

  /** A share from 0 to 1: `31 %`. */
  percent(name: string): string | undefined {
    return this.#written(name, (share) => `${number(Math.round(share * 1_000) / 10)} %`);
  }

  /** A number whose unit or noun is in the sentence. */
  count(name: string): string | undefined {
    return this.#written(name, number);
  }

  /** A number with its noun: `1 task`, `2 tasks`. */
  counted(name: string, noun: string, plural = `${noun}s`): string | undefined {
    return this.#written(name, (value) => `${number(value)} ${value === 1 ? noun : plural}`);
  }

  /** Whether the number is present and infinite. */
  isEndless(name: string): boolean {
    const value = this.#numbers[name];
    return value === Number.POSITIVE_INFINITY || value === "Infinity";
  }

  /** A name. */
  text(name: string): string | undefined {
    const value = this.#numbers[name];
    return typeof value === "string" && value !== "" ? value : undefined;
  }

  #written(name: string, write: (value: number) => string): string | undefined {
    const value = this.#numbers[name];
    return typeof value === "number" && Number.isFinite(value) ? write(value) : undefined;
  }
}

/** The sentence of a rule: the reason, and the clauses with the numbers that were compared. */
export interface Sentence {
  readonly reason: string;
  readonly clauses?: (figures: Figures) => readonly (string | undefined)[];
}

/** A clause of text and figures; undefined if one of its figures is. */
export function clause(
  texts: TemplateStringsArray,
  ...figures: readonly (string | undefined)[]
): string | undefined {
  if (figures.includes(undefined)) return undefined;
  return texts.map((text, index) => `${text}${figures[index] ?? ""}`).join("");
}
