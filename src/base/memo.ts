interface Remembered<S> {
  readonly stamp: S;
  readonly value: unknown;
}

/** Values with a stamp each, held by the object they are about: they go when the object goes. */
export class Memo<S> {
  readonly #remembered = new WeakMap<object, Map<string, Remembered<S>>>();

  /**
   * The value under a name if its stamp is still good, otherwise a new one. A name has one type.
   */
  of<T>(about: object, name: string, now: S, isGood: (stamp: S) => boolean, workOut: () => T): T {
    let values = this.#remembered.get(about);
    if (values === undefined) {
      values = new Map();
      this.#remembered.set(about, values);
    }
    const known = values.get(name);
    if (known !== undefined && isGood(known.stamp)) return known.value as T;
    const value = workOut();
    values.set(name, { stamp: now, value });
    return value;
  }
}
