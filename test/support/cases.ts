/**
 * With `TESTS=all` each check runs on all of its cases. Without it, a check that repeats itself
 * over many cases runs on a sample that has each kind of case once.
 */
export const runsAll: boolean = process.env.TESTS === "all";

/** All cases of a check, or its sample: the reason for the sample stands where it is chosen. */
export const cases = <T>({ all, sample }: { readonly all: T; readonly sample: T }): T =>
  runsAll ? all : sample;
