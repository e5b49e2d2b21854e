/** The records that start in a split, in order. */
export interface RecordReader {
  /**
   * Hands over each record. Yields after some of them, the records of a block, so that the caller
   * decides when reading goes on. Call it once.
   */
  pieces(take: (record: unknown) => void): AsyncGenerator<void, void, undefined>;
  /** Whether a record is being handed over: an error thrown now comes from the receiver. */
  readonly isAtRecord: boolean;
  /** Stored bytes of the split that have been read. */
  readonly bytesRead: number;
  /** The fraction of the split that has been read. */
  readonly score: number;
  /** The number of the current record's line, row or first byte. */
  readonly at: number;
  /** The file, with the line, row or byte of the record at `at`; default: the current record. */
  place(at?: number): string;
}

/** Hands over each record. */
export async function eachRecord(
  reader: RecordReader,
  take: (record: unknown) => void,
): Promise<void> {
  const pieces = reader.pieces(take);
  for (let piece = await pieces.next(); !piece.done; ) piece = await pieces.next();
}
