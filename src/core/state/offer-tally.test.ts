import fc from "fast-check";
import { expect, test } from "vitest";
import { slotKind } from "../../model/ids.ts";
import { OfferTally } from "./offer-tally.ts";

const KINDS = 3;
const change = fc.record({
  kind: fc.nat(KINDS - 1),
  does: fc.constantFrom("far", "far", "decline", "clear"),
});

test("a tally agrees with a count of what happened since the offer began", () => {
  fc.assert(
    fc.property(fc.array(change, { maxLength: 60 }), (changes) => {
      const tally = new OfferTally(KINDS);
      let since: { kind: number; does: string }[] = [];
      for (const { kind, does } of changes) {
        if (does === "far") tally.countFar(slotKind(kind));
        else if (does === "decline") tally.decline(slotKind(kind));
        else tally.clear();
        since = does === "clear" ? [] : [...since, { kind, does }];
        for (let of = 0; of < KINDS; of++) {
          const own = since.filter((one) => one.kind === of);
          expect(tally.far(slotKind(of))).toBe(own.filter((one) => one.does === "far").length);
          expect(tally.isDeclined(slotKind(of))).toBe(own.some((one) => one.does === "decline"));
        }
      }
    }),
  );
});
