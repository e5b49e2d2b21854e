import type { Fact } from "../model/fact.ts";

/** Whether a caller wants facts, or which kinds of facts. */
export type WantedFacts = boolean | ReadonlySet<Fact["kind"]>;

/** By kind of fact: whether the caller wants facts of the kind. */
export type FactsWanted = Readonly<Record<Fact["kind"], boolean>>;

/** Every step reads some of the answers: as properties, they cost less than as items of a set. */
export function factsWanted(wanted: WantedFacts): FactsWanted {
  const wants = (kind: Fact["kind"]): boolean =>
    typeof wanted === "boolean" ? wanted : wanted.has(kind);
  return {
    "node-joined": wants("node-joined"),
    "node-silent": wants("node-silent"),
    "node-heard": wants("node-heard"),
    "node-lost": wants("node-lost"),
    "job-submitted": wants("job-submitted"),
    "job-begun": wants("job-begun"),
    "job-ended": wants("job-ended"),
    "attempt-launched": wants("attempt-launched"),
    "attempt-started": wants("attempt-started"),
    "attempt-dying": wants("attempt-dying"),
    "attempt-ended": wants("attempt-ended"),
    "output-made": wants("output-made"),
    "output-copied": wants("output-copied"),
    "output-lost": wants("output-lost"),
    "task-reopened": wants("task-reopened"),
    "request-made": wants("request-made"),
    "request-ended": wants("request-ended"),
  };
}
