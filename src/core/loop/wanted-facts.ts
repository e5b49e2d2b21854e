import type { Fact } from "../../model/fact.ts";

/** A kind of fact, or those facts of the kind `output-made` whose outputs other phases read. */
type Wanted = Fact["kind"] | "read-output-made";

/** Whether a caller wants facts, or which kinds of facts. */
export type WantedFacts = boolean | ReadonlySet<Wanted>;

/** By kind of fact: whether the caller wants facts of the kind. */
export type FactsWanted = Readonly<Record<Wanted, boolean>>;

/** Every step reads some of the answers: as properties, they cost less than as items of a set. */
export function factsWanted(wanted: WantedFacts): FactsWanted {
  const wants = (kind: Wanted): boolean =>
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
    "read-output-made": wants("output-made") || wants("read-output-made"),
    "output-copied": wants("output-copied"),
    "output-lost": wants("output-lost"),
    "task-reopened": wants("task-reopened"),
    "request-made": wants("request-made"),
    "request-ended": wants("request-ended"),
  };
}
