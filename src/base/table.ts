const PAGE_BITS = 10;
const PAGE_SIZE = 1 << PAGE_BITS;
const PAGE_MASK = PAGE_SIZE - 1;

interface Page<T> {
  items: (T | undefined)[];
  count: number;
}

/**
 * Values under dense, rising ids. Memory is in proportion to the values present: a page whose
 * values are all deleted is dropped.
 */
export class Table<T> {
  readonly #pages: (Page<T> | undefined)[] = [];

  /** The value, or undefined if there is none. */
  find(id: number): T | undefined {
    return this.#pages[id >> PAGE_BITS]?.items[id & PAGE_MASK];
  }

  set(id: number, value: T): void {
    const number = id >> PAGE_BITS;
    while (this.#pages.length < number) this.#pages.push(undefined);
    let page = this.#pages[number];
    if (page === undefined) {
      page = { items: new Array<T | undefined>(PAGE_SIZE).fill(undefined), count: 0 };
      this.#pages[number] = page;
    }
    if (page.items[id & PAGE_MASK] === undefined) page.count++;
    page.items[id & PAGE_MASK] = value;
  }

  delete(id: number): void {
    const page = this.#pages[id >> PAGE_BITS];
    if (page === undefined || page.items[id & PAGE_MASK] === undefined) return;
    page.items[id & PAGE_MASK] = undefined;
    page.count--;
    if (page.count === 0) this.#pages[id >> PAGE_BITS] = undefined;
  }
}
