/** Events as they happen, for any number of readers; without a reader no event is kept. */
export class EventStream<T extends object> {
  readonly #readers = new Set<Reader<T>>();
  readonly #atEnd: () => void;
  #hasEnded = false;

  /** `atEnd` is called by each reader that comes to the end of an ended stream; may throw. */
  constructor(atEnd: () => void = () => {}) {
    this.#atEnd = atEnd;
  }

  /** Whether anyone reads, and has not stopped. */
  get isRead(): boolean {
    return this.#readers.size > 0;
  }

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
    const reader = new Reader<T>({ atEnd: this.#atEnd, left: () => this.#readers.delete(reader) });
    if (this.#hasEnded) reader.end();
    else this.#readers.add(reader);
    return reader;
  }
}

interface Waiting<T> {
  resolve(result: IteratorResult<T>): void;
  reject(error: unknown): void;
}

class Reader<T extends object> implements AsyncIterableIterator<T> {
  readonly #atEnd: () => void;
  readonly #left: () => void;
  readonly #items: T[] = [];
  readonly #waiting: Waiting<T>[] = [];
  #hasEnded = false;
  #isOver = false;

  constructor({ atEnd, left }: { readonly atEnd: () => void; readonly left: () => void }) {
    this.#atEnd = atEnd;
    this.#left = left;
  }

  [Symbol.asyncIterator](): this {
    return this;
  }

  add(value: T): void {
    const waits = this.#waiting.shift();
    if (waits === undefined) this.#items.push(value);
    else waits.resolve({ value, done: false });
  }

  end(): void {
    this.#hasEnded = true;
    for (const waits of this.#waiting.splice(0)) this.#over(waits);
  }

  next(): Promise<IteratorResult<T>> {
    const value = this.#items.shift();
    if (value !== undefined) return Promise.resolve({ value, done: false });
    return new Promise((resolve, reject) => {
      const waits = { resolve, reject };
      if (this.#hasEnded) this.#over(waits);
      else this.#waiting.push(waits);
    });
  }

  /** After the end of the stream, the reader that leaves has come to the end, too. */
  return(): Promise<IteratorResult<T>> {
    this.#left();
    this.#items.length = 0;
    if (!this.#hasEnded) this.#isOver = true;
    this.end();
    return this.next();
  }

  /** A reader hears of the end once. */
  #over({ resolve, reject }: Waiting<T>): void {
    const isFirst = !this.#isOver;
    this.#isOver = true;
    try {
      if (isFirst) this.#atEnd();
      resolve({ value: undefined, done: true });
    } catch (error) {
      reject(error);
    }
  }
}
