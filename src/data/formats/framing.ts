/** How lines become records. */
export interface Framing {
  /**
   * What the line from `start` to `next`, its end included, completes; undefined: no record, or
   * none yet. Throws Malformed.
   */
  record(text: string, start: number, next: number): unknown;
  /** A record has begun that is not complete. */
  readonly isOpen: boolean;
  /** There are no more lines: throws Malformed if a record is open. */
  end(): void;
  /**
   * Once, after Malformed: the record's lines but for the first, which are to be read again, as
   * lines at which a record may begin.
   */
  giveBack(): string;
}

/** A record is one line. */
export const EACH_LINE: Omit<Framing, "record"> = {
  isOpen: false,
  end: () => {},
  giveBack: () => "",
};
