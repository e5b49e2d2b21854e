import type { TraceFormat } from "../../history/model.ts";
import type { IdlePlace, IdleRow, PartRow, Why } from "../document.ts";
import { plain, span } from "../figures.ts";
import type { Part } from "./part.ts";

/** A clause of the headline, and the seconds that it is about. */
export interface Clause {
  readonly ms: number;
  readonly text: string;
}

/** From this share of the response on, a part is named in the first line. */
const NAMED_FROM = 0.1;
/** Slots are idle beside any last wave: it is named if it is much, or more than lateness. */
const FEW_FROM = 0.25;

interface Facts
  extends Pick<Why, "responseMs" | "delayMs" | "parts" | "idle" | "slots" | "phases" | "format"> {
  readonly job: Pick<Why["job"], "part">;
}

/** What the response consists of beside lateness, as far as it is much. */
export function responseClauses(why: Facts): readonly Clause[] {
  const { responseMs, delayMs, idle } = why;
  const clauses: Clause[] = [];
  if (idle.ms > NAMED_FROM * responseMs) clauses.push({ ms: idle.ms, text: idleText(why) });
  const lateMs = msOf(why.parts, "no-slot") - idle.noSlotMs;
  if (lateMs > NAMED_FROM * responseMs) clauses.push({ ms: lateMs, text: lateText(why, lateMs) });
  const fewMs = msOf(why.parts, "few-tasks");
  const isNamed = fewMs > (fewMs > delayMs ? NAMED_FROM : FEW_FROM) * responseMs;
  if (isNamed) clauses.push({ ms: fewMs, text: fewText(why, fewMs) });
  return clauses;
}

const msOf = (parts: readonly PartRow[], part: Part): number =>
  parts.find((row) => row.part === part)?.ms ?? 0;

/** A reason is named if it is at least this share of the idle time. */
const REASON_FROM = 0.1;

function idleText(why: Facts): string {
  const { idle, responseMs, format } = why;
  const reasons = [
    driverReason(idle, format),
    noSlotReason(why),
    reasonOf(idle, "launching", "tasks were due beside free slots"),
  ]
    .filter(({ ms }) => ms > REASON_FROM * idle.ms)
    .sort((a, b) => Math.sign(b.ms - a.ms));
  const told = reasons.map(({ ms, text }) =>
    reasons.length === 1 ? text : `for ${span(ms)} ${text}`,
  );
  // The seconds are those of the places that are named.
  const ms = reasons.reduce((sum, reason) => sum + reason.ms, 0);
  return `no attempt ran for ${plain(ms)} of ${span(responseMs)}: ${told.join(", ")}`;
}

/** Who decides which tasks there are. */
function driverOf(format: TraceFormat | undefined): string {
  if (format === "spark") return "the driver";
  if (format === "journal") return "the master";
  return format === "jobtracker" ? "the job tracker" : "the ApplicationMaster";
}

function driverReason(idle: IdleRow, format: TraceFormat | undefined): Clause {
  const { named, ms, isMost } = namedPlaces(idle, "driver");
  const who = driverOf(format);
  if (!isMost) return { ms: idle.driverMs, text: `${who} worked alone, ${kindsText(idle)}` };
  return { ms, text: `${who} worked alone ${listed(named)}` };
}

function noSlotReason({ job, idle, format, slots: { masterStarts = [] } }: Facts): Clause {
  if ((job.part?.besideMs ?? 0) > 0) {
    return reasonOf(idle, "no-slot", "tasks waited for slots that others held");
  }
  if (format === "spark") return reasonOf(idle, "no-slot", "tasks waited for executors");
  const [longest] = idle.longest.filter(({ part }) => part === "no-slot");
  const [, ...again] = masterStarts;
  const isRestart =
    longest !== undefined &&
    again.some((at) => at >= longest.fromMs && at <= longest.fromMs + longest.ms);
  if (!isRestart) return reasonOf(idle, "no-slot", "tasks waited for containers");
  const times = masterStarts.length === 2 ? "twice" : `${masterStarts.length} times`;
  const from = `${plain(longest.fromMs)} s to ${plain(longest.fromMs + longest.ms)} s`;
  const text = `the ApplicationMaster started ${times} (${from} after the submission)`;
  return { ms: longest.ms, text };
}

function reasonOf(idle: IdleRow, part: IdlePlace["part"], text: string): Clause {
  const { named, ms, isMost } = namedPlaces(idle, part);
  return isMost ? { ms, text: `${text} ${listed(named)}` } : { ms: totalOf(idle, part), text };
}

const totalOf = ({ driverMs, noSlotMs, launchingMs }: IdleRow, part: IdlePlace["part"]): number =>
  ({ driver: driverMs, "no-slot": noSlotMs, launching: launchingMs })[part];

/** The places that together are most of it. */
const MOST = 0.8;
const PLACES_MAX = 2;

function namedPlaces(idle: IdleRow, part: IdlePlace["part"]) {
  const enough = MOST * totalOf(idle, part);
  const named: IdlePlace[] = [];
  let ms = 0;
  for (const place of idle.places.filter((one) => one.part === part).slice(0, PLACES_MAX)) {
    if (ms > enough) break;
    named.push(place);
    ms += place.ms;
  }
  return { named, ms, isMost: ms > enough };
}

function listed(places: readonly IdlePlace[]): string {
  const [only] = places;
  if (only !== undefined && places.length === 1) return only.what;
  return places.map(({ what, ms }) => `${what} (${span(ms)})`).join(" and ");
}

const KINDS: Readonly<Record<IdlePlace["at"], string>> = {
  before: "before its first tasks",
  between: "between its jobs",
  inside: "within its jobs",
  after: "after its last tasks",
  result: "fetching results",
};

/** Where there are many places: the kinds of them. */
function kindsText({ kinds }: IdleRow): string {
  const own = kinds.filter(({ part }) => part === "driver").slice(0, 2);
  return own
    .map(({ at, ms, count }) => `${span(ms)} ${KINDS[at]}${count > 1 ? ` (${count} times)` : ""}`)
    .join(", ");
}

function lateText({ slots, parts, phases }: Facts, ms: number): string {
  const { late, most } = slots;
  const evidence = parts.find(({ part }) => part === "no-slot")?.evidence ?? [];
  const gathering = evidence.find(({ what }) => phases.some(({ phase }) => phase === what));
  if (gathering !== undefined && gathering.ms > ms / 2) {
    const tasks = phases.find(({ phase }) => phase === gathering.what)?.tasks;
    const all = `until all its ${tasks} tasks could start at once`;
    return `slots were idle for ${span(gathering.ms)} while ${gathering.what} waited ${all}`;
  }
  if (late === undefined) return `not all of its ${most} slots lasted: that cost ${span(ms)}`;
  const which = late.slots === most ? `all ${most}` : `${late.slots} of ${most}`;
  const took = `${span(late.tookMs)} where ${span(late.wouldTakeMs)} would do`;
  return `${which} slots came ${span(late.byMs)} late: ${took}`;
}

function fewText({ parts, phases, slots, format }: Facts, ms: number): string {
  const [worst] = parts.find(({ part }) => part === "few-tasks")?.evidence ?? [];
  const phase = phases.find((one) => one.phase === worst?.what);
  const tasks = phase?.tasks === 1 ? "1 task" : `${phase?.tasks} tasks`;
  const most = format === "spark" ? ` for ${slots.most} slots` : "";
  const which = phase === undefined ? "" : `, most in ${phase.phase} (${tasks}${most})`;
  return `slots were idle beside too few tasks for ${span(ms)}${which}`;
}
