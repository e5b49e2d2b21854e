/** Events as they happen, for any number of readers; without a reader no event is kept. */
export class EventStream<T extends object> {
  readonly #readers = new Set<Reader<T>>();
  #hasEnded = false;

  add(item: T): void {
    for (const reader of this.#readers) reader.add(item);
  }

  /** Ends the stream: each reader ends when it has read what is left. */
  end(): void {
    this.#hasEnded = true;
    for (const reader of this.#readers) reader.end();
    this.#readers.clear();
  }

  /** Events from now on. A reader that stops early holds no events. */
  read(): AsyncIterableIterator<T> {
    const reader = new Reader<T>(() => this.#readers.delete(reader));
    if (this.#hasEnded) reader.end();
    else this.#readers.add(reader);
    return reader;
  }
}

class Reader<T extends object> implements AsyncIterableIterator<T> {
  readonly #left: () => void;
  readonly #items: T[] = [];
  readonly #waiting: ((result: IteratorResult<T>) => void)[] = [];
  #hasEnded = false;

  constructor(left: () => void) {
    this.#left = left;
  }

  [Symbol.asyncIterator](): this {
    return this;
  }

  add(value: T): void {
    const waits = this.#waiting.shift();
    if (waits === undefined) this.#items.push(value);
    else waits({ value, done: false });
  }

  end(): void {
    this.#hasEnded = true;
    for (const waits of this.#waiting.splice(0)) waits(OVER);
  }

  next(): Promise<IteratorResult<T>> {
    const value = this.#items.shift();
    if (value !== undefined) return Promise.resolve({ value, done: false });
    if (this.#hasEnded) return Promise.resolve(OVER);
    return new Promise((resolve) => this.#waiting.push(resolve));
  }

  return(): Promise<IteratorResult<T>> {
    this.#left();
    this.#items.length = 0;
    this.end();
    return Promise.resolve(OVER);
  }
}

const OVER = { value: undefined, done: true } as const;
