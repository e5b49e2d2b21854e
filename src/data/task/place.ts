/** Says where in the input, or at which key, the task of this thread is. */
let now: (() => string) | undefined;

export function setPlace(place: (() => string) | undefined): void {
  now = place;
}

/** Undefined: it is at no record. */
export const currentPlace = (): string | undefined => now?.();
