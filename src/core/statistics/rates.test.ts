import { expect, test } from "vitest";
import { anyAttempt, draws } from "../../../test/support/any-attempt.ts";
import { percentile } from "../../base/stats.ts";
import { type Instant, instant } from "../../model/ids.ts";
import { type Observed, rateAt } from "./progress.ts";
import { PhaseRates } from "./rates.ts";

type Numbered = { -readonly [K in keyof Observed]: Observed[K] } & { readonly id: number };

const isYoung = ({ startedAt = instant(0) }: Observed, now: Instant): boolean => startedAt >= now;

/** Attempts start, end and fall silent at random; `look` is called after some of the changes. */
function runPhase(
  seed: number,
  look: (rates: PhaseRates<Numbered>, attempts: readonly Numbered[], now: Instant) => void,
): void {
  const draw = draws(seed);
  const rates = new PhaseRates<Numbered>([], [], instant(0));
  const attempts: Numbered[] = [];
  let now = instant(0);
  for (let step = 0; step < 200; step += 1) {
    now = instant(now + draw(3) * draw(500));
    const host: { silentSince: Instant | undefined } = { silentSince: undefined };
    const known = attempts[draw(attempts.length + 1)];
    if (known === undefined || draw(3) > 0) {
      const attempt: Numbered = { ...anyAttempt(draw, host, now), startedAt: now, id: step };
      attempts.push(attempt);
      rates.update(attempt, now);
    } else {
      if (draw(3) === 0) known.host = { silentSince: draw(2) === 0 ? now : undefined };
      else if (!isYoung(known, now) && known.state === "running") {
        known.state = draw(2) === 0 ? "succeeded" : "killed";
        known.endedAt = now;
      }
      rates.update(known, now);
    }
    if (draw(3) > 0) look(rates, attempts, now);
  }
}

test("a percentile equals the percentile of all rates, sorted", () => {
  for (let seed = 1; seed <= 8; seed += 1) {
    const draw = draws(1_000 + seed);
    runPhase(seed, (rates, attempts, now) => {
      const counted = attempts.filter((attempt) =>
        attempt.state === "running" ? !isYoung(attempt, now) : attempt.state === "succeeded",
      );
      if (counted.length === 0) return;
      const sorted = Float64Array.from(counted, (attempt) => rateAt(attempt, now)).sort();
      const q = draw(101);
      const expected = percentile(sorted, q);
      const error = Math.abs(rates.percentile(q, now) - expected);
      expect(error, `seed ${seed}, ${now} ms`).toBeLessThanOrEqual(1e-12 * expected);
    });
  }
});

test("a look finds the slow attempts that have run for long enough", () => {
  for (let seed = 1; seed <= 8; seed += 1) {
    const draw = draws(2_000 + seed);
    runPhase(seed, (rates, attempts, now) => {
      const sought = { rateBelow: 1 / (2_000 + draw(10_000)), ranMsMin: draw(400) };
      const found = new Set<number>();
      for (const { attempt, score, ratePerMs } of rates.soughtMovers(now, sought)) {
        found.add(attempt.id);
        expect(ratePerMs).toBe(rateAt(attempt, now));
        expect(score).toBeCloseTo(ratePerMs * (now - (attempt.startedAt ?? now)), 12);
      }
      const held = new Set(Array.from(rates.latestEnds(now), ({ item }) => item.id));
      for (const attempt of attempts) {
        if (attempt.state !== "running" || isYoung(attempt, now) || held.has(attempt.id)) continue;
        const isSlow = rateAt(attempt, now) < sought.rateBelow;
        const isOld = now - (attempt.startedAt ?? now) >= sought.ranMsMin;
        expect(found.delete(attempt.id), `seed ${seed}, ${now} ms`).toBe(isSlow && isOld);
      }
      expect(found.size).toBe(0);
    });
  }
});
