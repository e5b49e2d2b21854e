/** Names by number, in the order in which they came. */
export class NameIndex {
  readonly #index = new Map<string, number>();

  /** The name's number, a new one if it has none. */
  of(name: string): number {
    const known = this.#index.get(name);
    if (known !== undefined) return known;
    this.#index.set(name, this.#index.size);
    return this.#index.size - 1;
  }

  /** -1 if the name has no number. */
  find(name: string): number {
    return this.#index.get(name) ?? -1;
  }

  get names(): readonly string[] {
    return [...this.#index.keys()];
  }
}
