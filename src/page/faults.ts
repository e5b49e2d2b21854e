import type { PageHead } from "../report/page/document.ts";
import { span } from "./format.ts";

/** What a fault did to a node, when it first happened, and how often. */
interface Fault {
  readonly text: string;
  readonly at: number;
  readonly times: number;
}

/** The faults of a node that the source records. */
export function faultsOf({ spans }: PageHead, node: number): readonly Fault[] {
  const found = new Map<string, Fault>();
  for (const { node: of, what, text, from } of spans) {
    if (of !== node || what !== "fault") continue;
    const { at, times } = found.get(text) ?? { at: from, times: 0 };
    found.set(text, { text, at, times: times + 1 });
  }
  return [...found.values()];
}

export const faultsText = (faults: readonly Fault[]): string =>
  faults
    .map(({ text, at, times }) => `${text} at ${span(at)}${times > 1 ? `, ${times} times` : ""}`)
    .join(", ");
