/** A reader that has not taken what it was sent after so long is dropped: it may come back. */
export const STUCK_MS = 60_000;
