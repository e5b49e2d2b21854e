import type { AttemptTable, Decision, PageHead, Refusal } from "./document.ts";
import { documentBytes, documentFrom } from "./document-bytes.ts";

/** What changed in a live page since a cursor: rows as they are now, with their ids. */
export interface Frame {
  readonly cursor: number;
  /** Without decisions and refusals. */
  readonly head: PageHead;
  readonly decisions: readonly (readonly [n: number, decision: Decision | undefined])[];
  readonly refusals: readonly (readonly [n: number, refusal: Refusal | undefined])[];
  readonly ids: Float64Array;
  readonly attempts: AttemptTable;
}

/** As a document whose rows are those that changed; their ids are in its head. */
export function frameBytes({
  cursor,
  head,
  decisions,
  refusals,
  ids,
  attempts,
}: Frame): Uint8Array {
  const frame: NonNullable<PageHead["frame"]> = {
    cursor,
    decisions: decisions.map(([n]) => n),
    refusals: refusals.map(([n]) => n),
    ids: [...ids],
  };
  return documentBytes({
    head: {
      ...head,
      frame,
      decisions: decisions.flatMap(([, one]) => one ?? []),
      refusals: refusals.flatMap(([, one]) => one ?? []),
    },
    attempts,
  });
}

/** Throws an Error in a sentence if the bytes are not those of a frame. */
export function frameFrom(bytes: Uint8Array): Frame {
  const { head, attempts } = documentFrom(bytes);
  const { frame, decisions, refusals, ...others } = head;
  if (frame === undefined) throw new Error("The server sent a page where a frame was due.");
  return {
    cursor: frame.cursor,
    head: { ...others, decisions: [], refusals: [] },
    decisions: frame.decisions.map((n, at) => [n, decisions[at]] as const),
    refusals: frame.refusals.map((n, at) => [n, refusals[at]] as const),
    ids: Float64Array.from(frame.ids),
    attempts,
  };
}
