import type { NodeProgress, PhaseProgress, RunEvent } from "../../hosts/engine/index.ts";
import { roundText, type Sentence, sentenceOf } from "./sentence.ts";

/** The state of a run so far, built from its events. */
export interface DisplayState {
  job: string;
  /** The round of a loop's job, as text after the title. */
  round: string;
  at: number;
  phases: readonly PhaseProgress[];
  nodes: readonly NodeProgress[];
  /** Nodes that were killed and have not come back. */
  readonly killed: Set<string>;
  /** The latest notable events, oldest first. */
  readonly recent: TimedSentence[];
}

export interface TimedSentence extends Sentence {
  readonly at: number;
}

const RECENT_MAX = 8;

export const blankPicture = (): DisplayState => ({
  job: "",
  round: "",
  at: 0,
  phases: [],
  nodes: [],
  killed: new Set(),
  recent: [],
});

/** Applies the event; returns a sentence about it if it is notable. */
export function record(picture: DisplayState, event: RunEvent): TimedSentence | undefined {
  picture.at = event.at;
  if (event.kind === "job-submitted") {
    picture.job = event.job;
    picture.round = roundText(event);
    picture.phases = event.phases.map(untouched);
    picture.nodes = [];
  }
  if (event.kind === "job-progressed") {
    picture.phases = event.phases;
    picture.nodes = event.nodes;
  }
  if (event.kind === "fault" && event.what.startsWith("killed")) picture.killed.add(event.node);
  if (event.kind === "node-joined") picture.killed.delete(event.node);
  const sentence = sentenceOf(event);
  if (sentence === undefined) return undefined;
  const timed = { ...sentence, at: event.at };
  picture.recent.push(timed);
  if (picture.recent.length > RECENT_MAX) picture.recent.shift();
  return timed;
}

const untouched = ({ name, tasks }: { name: string; tasks: number }): PhaseProgress => ({
  name,
  tasks,
  done: 0,
  running: 0,
  waiting: tasks,
  speculated: 0,
  score: 0,
});
