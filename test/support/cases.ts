/**
 * With `TESTS=all` each check runs on all of its cases. Otherwise a check with many cases runs on a
 * sample that has each kind of case once.
 */
export const runsAll: boolean = process.env.TESTS === "all";

/** All cases of a check, or its sample; the caller gives the reason for the sample. */
export const cases = <T>({ all, sample }: { readonly all: T; readonly sample: T }): T =>
  runsAll ? all : sample;
