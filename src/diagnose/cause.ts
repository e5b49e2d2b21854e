import { defined } from "../base/assert.ts";
import { recordOf } from "../base/record-of.ts";
import { bytes, bytesWords } from "./causes/bytes.ts";
import { coldStart, coldStartWords } from "./causes/cold-start.ts";
import type { CauseDeclaration, CauseWords } from "./causes/declaration.ts";
import { fetchWait, fetchWaitWords } from "./causes/fetch-wait.ts";
import { gc, gcWords } from "./causes/gc.ts";
import { node, nodeWords } from "./causes/node.ts";
import { remoteRead, remoteReadWords } from "./causes/remote-read.ts";
import { retries, retriesWords } from "./causes/retries.ts";
import { unexplained, unexplainedWords } from "./causes/unexplained.ts";
import { waitedToStart, waitedToStartWords } from "./causes/waited-to-start.ts";

/** Why response time was lost; each has seconds of its own (docs/papers/attribution.md). */
export type Cause = (typeof WORDS)[number]["name"];

const WORDS = [
  retriesWords,
  waitedToStartWords,
  nodeWords,
  gcWords,
  fetchWaitWords,
  coldStartWords,
  remoteReadWords,
  bytesWords,
  unexplainedWords,
] as const;

/** In the order of the words, each without them. */
export const DECLARATIONS: readonly CauseDeclaration<Cause>[] = [
  retries,
  waitedToStart,
  node,
  gc,
  fetchWait,
  coldStart,
  remoteRead,
  bytes,
  unexplained,
];

export const CAUSES: readonly Cause[] = /* @__PURE__ */ DECLARATIONS.map(({ name }) => name);

export const declarationOf = (cause: Cause): CauseDeclaration<Cause> =>
  defined(DECLARATIONS.find(isNamed(cause)), cause);

export const wordsOf = (cause: Cause): CauseWords<Cause> =>
  defined(WORDS.find(isNamed(cause)), cause);

const isNamed =
  (wanted: string) =>
  ({ name }: { readonly name: string }): boolean =>
    name === wanted;

export const isCause = (name: string): name is Cause => WORDS.some(isNamed(name));

export const byCause = <T>(of: (cause: Cause) => T): Record<Cause, T> => recordOf(CAUSES, of);

/** Work is moved from one attempt to another by it alone: its seconds may be a gain. */
export const MOVES_WORK = "bytes" satisfies Cause;

/** The only cause that takes no part of an attempt's own duration. */
const WAIT = "waited-to-start" satisfies Cause;

export type OwnCause = Exclude<Cause, typeof WAIT>;

const isOwn = (cause: Cause): cause is OwnCause => cause !== WAIT;

export const OWN_CAUSES: readonly OwnCause[] = /* @__PURE__ */ CAUSES.filter(isOwn);
