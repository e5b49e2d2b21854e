/** The early end of something that goes on. */
export class AsyncEnd {
  /** Never resolves; rejects with the reason of the abort. */
  readonly aborted: Promise<never>;
  #reject: (reason: unknown) => void = () => {};
  #reason: { readonly reason: unknown } | undefined;
  #control: AbortController | undefined;

  constructor() {
    this.aborted = new Promise((_, reject) => {
      this.#reject = reject;
    });
  }

  /** For other code. Made when it is asked for: a signal costs more than all else of a call. */
  get signal(): AbortSignal {
    this.#control ??= new AbortController();
    if (this.#reason !== undefined) this.#control.abort(this.#reason.reason);
    return this.#control.signal;
  }

  abort(reason: unknown): void {
    this.#reason ??= { reason };
    this.#control?.abort(reason);
    this.#reject(reason);
  }
}
