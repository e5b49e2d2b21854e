/** The figures of a run, from its .jhist file. */
export interface Figures {
  /** From the job's submission to its end. */
  readonly responseMs: number;
  /** Speculative attempts that got a container. */
  readonly copies: number;
  /** The copies that ended before their originals. */
  readonly won: number;
  /** Container time of all attempts that did not succeed. */
  readonly wastedMs: number;
}

/** Reads a history in Hadoop's format `json`: `Avro-Json`, a schema, then an event per line. */
export function figuresOf(history: string): Figures {
  const [magic, , ...lines] = history.split("\n");
  if (magic !== "Avro-Json") throw new Error(`expected a history in Avro-Json, found ${magic}`);
  const events = lines.filter((line) => line !== "").map(eventOf);
  const submittedAt = timeOf(events, "JOB_SUBMITTED", "submitTime");
  const endedAt = timeOf(events, "JOB_FINISHED", "finishTime");
  const ends = new Map<string, HistoryEvent>();
  for (const event of events) {
    if (/_ATTEMPT_(FINISHED|KILLED|FAILED)$/.test(event.type)) ends.set(event.attempt, event);
  }
  const figures = { copies: 0, won: 0, wastedMs: 0 };
  for (const event of events) {
    if (!/^(MAP|REDUCE)_ATTEMPT_STARTED$/.test(event.type)) continue;
    const end = ends.get(event.attempt);
    const hasWon = end?.type.endsWith("_FINISHED") ?? false;
    if (event.text("avataar") === "SPECULATIVE") {
      figures.copies += 1;
      figures.won += hasWon ? 1 : 0;
    }
    if (!hasWon) {
      figures.wastedMs += (end?.number("finishTime") ?? endedAt) - event.number("startTime");
    }
  }
  return { responseMs: endedAt - submittedAt, ...figures };
}

class HistoryEvent {
  readonly type: string;
  readonly #fields: ReadonlyMap<string, unknown>;

  constructor(type: string, fields: object) {
    this.type = type;
    this.#fields = new Map(Object.entries(fields));
  }

  /** Empty for an event without an attempt. */
  get attempt(): string {
    return this.text("attemptId") ?? "";
  }

  number(name: string): number {
    const value = this.#fields.get(name);
    if (typeof value !== "number") throw new Error(`${this.type}: expected ${name}, a number`);
    return value;
  }

  /** An optional text is `{"string": TEXT}` in Avro's JSON. */
  text(name: string): string | undefined {
    const value = this.#fields.get(name);
    const text = isObject(value) && "string" in value ? value.string : value;
    return typeof text === "string" ? text : undefined;
  }
}

/** Reads `{"type": TYPE, "event": {CLASS: FIELDS}}`. */
function eventOf(line: string): HistoryEvent {
  const parsed: unknown = JSON.parse(line);
  if (isObject(parsed) && "type" in parsed && "event" in parsed && isObject(parsed.event)) {
    const [fields] = Object.values(parsed.event);
    if (typeof parsed.type === "string" && isObject(fields)) {
      return new HistoryEvent(parsed.type, fields);
    }
  }
  throw new Error(`expected an event of a history, found ${line.slice(0, 200)}`);
}

function timeOf(events: readonly HistoryEvent[], type: string, name: string): number {
  const event = events.find((one) => one.type === type);
  if (event === undefined) throw new Error(`the history has no ${type}: the job did not succeed`);
  return event.number(name);
}

const isObject = (value: unknown): value is object => typeof value === "object" && value !== null;
