/** The documents of `-o json` and of the library, each with the version of its shape. */
const SCHEMAS = {
  run: 3,
  jobs: 1,
  simulate: 1,
  policies: 1,
  replay: 1,
  demo: 3,
  reproduce: 1,
  doctor: 1,
  why: 4,
  "why-jobs": 3,
  whatif: 1,
  "whatif-jobs": 1,
  compare: 2,
  "compare-runs": 1,
} as const;

export type DocumentName = keyof typeof SCHEMAS;

/**
 * Its first key names the document and its version, such as `broomwagon/why@4`. A version rises
 * when a key changes its meaning or is removed; keys may be added.
 */
export type Documented<N extends DocumentName, T> = {
  readonly schema: `broomwagon/${N}@${(typeof SCHEMAS)[N]}`;
} & T;

/** docs/cli.md lists the documents. */
export const documented = <N extends DocumentName, T extends object>(
  name: N,
  content: T,
): Documented<N, T> => ({
  schema: `broomwagon/${name}@${SCHEMAS[name]}` as const,
  ...content,
});
