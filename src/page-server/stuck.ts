/** A reader that takes nothing for this long is dropped; it may connect again. */
export const STUCK_MS = 60_000;
