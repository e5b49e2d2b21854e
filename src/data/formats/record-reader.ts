/** The records that start in a split, in order. */
export interface RecordReader {
  /** Hands over each record; call it once. */
  forEach(take: (record: unknown) => void): Promise<void>;
  /** A record is being handed over: what is thrown now is the taker's doing. */
  readonly isAtRecord: boolean;
  /** Stored bytes of the split that are behind us. */
  readonly bytesRead: number;
  /** The fraction of the split that is behind us. */
  readonly score: number;
  /** The current record's file, with line or byte. */
  place(): string;
}
