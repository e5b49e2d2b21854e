/** A script's content, block by block: story, commands, `----`, and their output. */
export interface Block {
  readonly line: number;
  /** Comments and empty lines before the commands. */
  readonly story: readonly string[];
  readonly commands: readonly string[];
  readonly output: readonly string[];
}

export const RULE = "----";

/** Output ends at the first empty line. */
export function parseScript(text: string, file: string): readonly Block[] {
  const blocks: Block[] = [];
  const lines = text.split("\n");
  let at = 0;
  while (at < lines.length) {
    const line = at + 1;
    const story = take((one) => one === "" || one.startsWith("#"));
    const commands = take((one) => one !== "" && one !== RULE && !one.startsWith("#"));
    if (commands.length > 0 && lines[at] !== RULE) {
      throw new Error(`${file}:${at + 1}: expected ${RULE} after the commands`);
    }
    at += commands.length > 0 ? 1 : 0;
    const output = commands.length > 0 ? take((one) => one !== "") : [];
    if (story.length + commands.length === 0)
      throw new Error(`${file}:${line}: expected a command`);
    blocks.push({ line, story, commands, output });
  }
  return blocks;

  function take(belongs: (line: string) => boolean): string[] {
    const start = at;
    while (at < lines.length && belongs(lines[at] ?? "")) at += 1;
    return lines.slice(start, at);
  }
}

export function formatScript(blocks: readonly Block[]): string {
  return blocks
    .flatMap(({ story, commands, output }) =>
      commands.length === 0 ? story : [...story, ...commands, RULE, ...output],
    )
    .join("\n");
}

/** A command's line: a verb, words, and options as `name=value`. */
export class Line {
  readonly verb: string;
  readonly words: readonly string[];
  readonly #options = new Map<string, string>();
  readonly #used = new Set<string>();
  readonly #text: string;

  constructor(text: string) {
    this.#text = text;
    const [verb = "", ...rest] = text.trim().split(/\s+/);
    this.verb = verb;
    const words: string[] = [];
    for (const part of rest) {
      const [, name, value] = /^([A-Za-z]+)=(.*)$/.exec(part) ?? [];
      if (name === undefined || value === undefined) words.push(part);
      else this.#options.set(name, value);
    }
    this.words = words;
  }

  word(index: number): string {
    return this.words[index] ?? this.fail(`expected a word more after "${this.verb}"`);
  }

  option(name: string): string | undefined {
    this.#used.add(name);
    return this.#options.get(name);
  }

  number(name: string): number | undefined {
    const value = this.option(name);
    return value === undefined ? undefined : Number(value);
  }

  /** In milliseconds. */
  duration(name: string): number | undefined {
    const value = this.option(name);
    return value === undefined ? undefined : durationFrom(value);
  }

  list(name: string): readonly string[] | undefined {
    return this.option(name)?.split(",");
  }

  /** The options that no command has read. */
  rest(): ReadonlyMap<string, string> {
    return new Map([...this.#options].filter(([name]) => !this.#used.has(name)));
  }

  fail(problem: string): never {
    throw new Error(`${problem}: ${this.#text}`);
  }
}

const UNITS = new Map([
  ["ms", 1],
  ["s", 1_000],
  ["m", 60_000],
  ["h", 3_600_000],
]);

/** `10s`, `1.5m`, `200ms`, in milliseconds. */
export function durationFrom(text: string): number {
  const [, number, unit] = /^(-?[\d.]+)(ms|s|m|h)$/.exec(text) ?? [];
  const factor = UNITS.get(unit ?? "");
  if (number === undefined || factor === undefined) throw new Error(`expected a time, not ${text}`);
  return Number(number) * factor;
}

/** A time in seconds, as scripts print it. */
export const seconds = (ms: number): string =>
  Number.isFinite(ms) ? `${Math.round(ms) / 1_000}s` : String(ms);
