import { readFileSync } from "node:fs";
import { gunzipSync } from "node:zlib";

/** A journal, read line by line without the program's own code. */
export interface Read {
  /** Everything but first launches, in order. */
  readonly decisions: readonly Decided[];
  readonly attempts: ReadonlyMap<string, Ran>;
  /** The nodes' offers: each with its number of slots, and its start and end. */
  readonly offers: readonly Offer[];
  /** When the job, or its last attempt, ended. */
  readonly endsAt: number;
}

/** Times in ms since the submission of the job. */
export interface Decided {
  readonly at: number;
  readonly rule: string;
  readonly numbers: Readonly<Record<string, number | string>>;
}

export interface Ran {
  readonly node: string;
  readonly slot: string;
  readonly as: string;
  readonly from: number;
  /** The rules that launched it, unless it is its task's first, and that killed it. */
  readonly rules: string[];
  to: number;
  /** When the node of a lost attempt was last heard. */
  heardTo?: number;
  end: string;
}

export interface Offer {
  readonly node: string;
  readonly slots: number;
  readonly from: number;
  to: number;
}

interface Line {
  readonly at: number;
  readonly event?: string;
  readonly attempt?: string;
  readonly node?: string;
  readonly submittedAt?: number;
  readonly since?: number;
  readonly slots?: readonly (readonly [kind: string, count: number])[];
  readonly actions?: readonly Action[];
}

interface Action {
  readonly kind: string;
  readonly attempt?: string;
  readonly node?: string;
  readonly slot?: string;
  readonly as?: string;
  readonly rule?: string;
  readonly numbers?: Decided["numbers"];
}

export const linesOf = (journal: string): readonly Line[] => {
  const bytes = readFileSync(journal);
  const text = (journal.endsWith(".gz") ? gunzipSync(bytes) : bytes).toString("utf8");
  return text.split("\n").flatMap((line) => (line === "" ? [] : [JSON.parse(line)]));
};

/** For a journal with a single job. */
export function readJournal(journal: string): Read {
  const lines = linesOf(journal);
  const began = lines.find(({ event }) => event === "job-submitted")?.submittedAt ?? 0;
  const attempts = new Map<string, Ran>();
  const decisions: Decided[] = [];
  const offers: Offer[] = [];
  const inJob = (name = ""): string => name.slice(name.indexOf("/") + 1);
  const end = (ran: Ran | undefined, how: string, at: number): void => {
    if (ran?.end === "running") Object.assign(ran, { end: how, to: at });
  };
  /** When each silent node was last heard. */
  const heardAt = new Map<string, number>();
  let endsAt = 0;
  for (const line of lines) {
    const { at: of, event, attempt, node = "", since = of, slots = [], actions = [] } = line;
    const at = of - began;
    if (event === "node-silent") heardAt.set(node, since - began);
    if (event === "node-joined") {
      const count = slots.reduce((sum, [, each]) => sum + each, 0);
      offers.push({ node, slots: count, from: Math.max(0, at), to: Number.POSITIVE_INFINITY });
    }
    const how = /^attempt-(succeeded|failed|killed)$/.exec(event ?? "")?.[1];
    if (how !== undefined) end(attempts.get(inJob(attempt)), how, at);
    for (const action of actions) {
      const { kind, as = "", rule = "", numbers = {}, slot = "" } = action;
      const name = inJob(action.attempt);
      const isFirst = kind === "launch" && as === "original";
      if (!["pass", "wake"].includes(kind) && !isFirst) decisions.push({ at, rule, numbers });
      if (kind === "launch") {
        const rules = isFirst ? [] : [rule];
        const where = { node: action.node ?? "", slot, as, rules };
        attempts.set(name, { ...where, from: at, to: Number.NaN, end: "running" });
      }
      if (kind === "kill") attempts.get(name)?.rules.push(rule);
      if (kind === "end-job") endsAt = at;
      if (kind !== "declare-lost") continue;
      const last = heardAt.get(action.node ?? "") ?? at;
      for (const ran of attempts.values()) {
        if (ran.node !== action.node || ran.end !== "running") continue;
        Object.assign(ran, { heardTo: last });
        end(ran, "lost", at);
      }
      for (const offer of offers) if (offer.node === action.node) offer.to = Math.min(offer.to, at);
    }
  }
  // Attempts whose kill was ordered and not confirmed when the journal ended.
  for (const ran of attempts.values()) end(ran, "killed", endsAt);
  endsAt = Math.max(endsAt, ...[...attempts.values()].map(({ to }) => to));
  return { decisions, attempts, offers, endsAt };
}
