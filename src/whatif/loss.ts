import { DECLARATIONS } from "../diagnose/cause.ts";
import { attemptCauses } from "../diagnose/causes/attempt-causes.ts";
import { sharesOf } from "../diagnose/causes/shares.ts";
import { withinResponse } from "../diagnose/causes/within-response.ts";
import { span } from "../diagnose/figures.ts";
import { contradictionIn } from "../diagnose/schedule/contradiction.ts";
import { type Answer, type Change, shownOf } from "./change.ts";
import type { Fitted } from "./fitted.ts";

/** What the recorded job lost, as its diagnosis says. In ms. */
export interface Loss {
  readonly delayMs: number;
  /**
   * Of the causes that no policy changes, the largest first: no attempt runs during a wait, and
   * failures and input come back in every attempt of the task.
   */
  readonly fixed: readonly { readonly what: string; readonly ms: number }[];
}

/** Undefined if the record contradicts itself. COST: 64 schedules of all attempts. */
export function lossOf({ plan, timing, signals, expectation }: Fitted): Loss | undefined {
  const responseMs = plan.job.endedAt - plan.job.submittedAt;
  if (contradictionIn(plan, timing, responseMs) !== undefined) return undefined;
  const causes = attemptCauses(plan, timing, signals, expectation);
  const found = sharesOf(plan, timing.wait, causes, responseMs);
  const { delayMs, ms } = withinResponse(found, causes, responseMs).shares;
  const fixed = DECLARATIONS.flatMap(({ name, fixed: what }) =>
    what === undefined ? [] : [{ what, ms: ms[name] }],
  )
    .filter(({ ms }) => ms > 0)
    .sort((a, b) => Math.sign(b.ms - a.ms));
  return { delayMs, fixed };
}

/** A smaller part of the response is hardly worth a word. */
const LITTLE = 0.01;

/** Why a policy can save time, or why none can, in a sentence; empty if the loss is unknown. */
export function reasonText(
  { delayMs, fixed }: Loss,
  of: { readonly responseMs: number; readonly rows: readonly Answer[]; readonly helps: boolean },
): string {
  const { responseMs, rows, helps } = of;
  const part = (ms: number): string =>
    span(ms) === span(delayMs)
      ? `The ${span(ms)} lost are`
      : `${span(ms)} of the ${span(delayMs)} lost are`;
  if (delayMs < LITTLE * responseMs && !helps) {
    return `Only ${span(delayMs)} of the ${span(responseMs)} were lost: there is little to save.`;
  }
  const named = fixed.filter(({ ms }) => ms >= LITTLE * responseMs);
  const fixedMs = Math.min(delayMs, sum(named.map(({ ms }) => ms)));
  const names = named.map(({ what }) => what).join(" and ");
  const which = `which no policy changes`;
  if (fixedMs > delayMs / 2) {
    const rest = delayMs - fixedMs < LITTLE * responseMs ? "" : restText(delayMs - fixedMs, helps);
    return `${part(fixedMs)} ${names}, ${which}${rest}.`;
  }
  const beside = fixedMs > 0 ? `; ${span(fixedMs)} are ${names}, ${which}` : "";
  const late = `${part(delayMs - fixedMs)} attempts that were late`;
  if (helps) return `${late}, beside which a copy may be done sooner${beside}.`;
  return `${late}, but ${copiesText(rows)}${beside}.`;
}

const restText = (ms: number, helps: boolean): string =>
  helps
    ? `; ${span(ms)} are attempts that were late, beside which a copy may be done sooner`
    : `; ${span(ms)} are attempts that were late`;

/** How copies fare in the simulations of another run. */
function copiesText(rows: readonly Answer[]): string {
  const changes = rows.map(shownOf);
  const most = changes.reduce<Change | undefined>(
    (most, one) => (most === undefined || one.copies > most.copies ? one : most),
    undefined,
  );
  if (most === undefined || most.copies < 1) return "no policy that was tried copies one in time";
  const [copies, wins] = [most.copies, most.wins].map((count) => count.toFixed(1));
  return `the copies (at most ${copies} a run, of which ${wins} win) end them hardly sooner`;
}

const sum = (values: readonly number[]): number => values.reduce((all, one) => all + one, 0);
