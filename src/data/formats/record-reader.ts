/** The records that start in a split, in order. */
export interface RecordReader {
  /** Hands over each record; call it once. */
  forEach(take: (record: unknown) => void): Promise<void>;
  /** Whether a record is being handed over: an error thrown now comes from the receiver. */
  readonly isAtRecord: boolean;
  /** Stored bytes of the split that have been read. */
  readonly bytesRead: number;
  /** The fraction of the split that has been read. */
  readonly score: number;
  /** The current record's file, with line or byte. */
  place(): string;
}
