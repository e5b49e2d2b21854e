/** The place in the input, or the key, at which the task of this thread is. */
let now: (() => string) | undefined;

export function setPlace(place: (() => string) | undefined): void {
  now = place;
}

/** Undefined if the task is at no record. */
export const currentPlace = (): string | undefined => now?.();
