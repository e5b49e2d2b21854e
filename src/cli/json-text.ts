/** The documents of `-o json`, each with the version of its shape. docs/cli.md lists them. */
const SCHEMAS = {
  run: 1,
  jobs: 1,
  simulate: 1,
  policies: 1,
  replay: 1,
  demo: 1,
  reproduce: 1,
  doctor: 1,
  why: 1,
  "why-jobs": 1,
  whatif: 1,
  "whatif-jobs": 1,
  compare: 1,
} as const;

export type Document = keyof typeof SCHEMAS;

/**
 * JSON for programs, whose first key `schema` names the document and its version:
 * `broomwagon/run@1`. A version rises when a key changes its meaning or is removed; keys may be
 * added. Numbers that JSON lacks, such as Infinity, are null.
 */
export const jsonText = (document: Document, content: object): string =>
  JSON.stringify({ schema: `broomwagon/${document}@${SCHEMAS[document]}`, ...content }, null, 2);
