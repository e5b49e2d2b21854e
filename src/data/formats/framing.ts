/** Joins lines into records. */
export interface Framing {
  /**
   * The record that the line from `start` to `next`, its end included, completes; undefined if none
   * is complete. Throws Malformed.
   */
  record(text: string, start: number, next: number): unknown;
  /** Whether a record has begun that is not complete. */
  readonly isOpen: boolean;
  /** Call this after the last line: throws Malformed if a record is open. */
  end(): void;
  /**
   * Call this once after Malformed: returns the record's lines except the first, to be read again
   * as lines at which a record may begin.
   */
  giveBack(): string;
}

/** For formats where each line is a record. */
export const EACH_LINE: Omit<Framing, "record"> = {
  isOpen: false,
  end: () => {},
  giveBack: () => "",
};
