import { expect, test } from "vitest";
import { lasting, lostIn, saidOf, smallJob } from "../../../test/diagnose/support/small-job.ts";

test("deserialisation beyond that of the later attempts is a cause", () => {
  const cold = smallJob((task) =>
    task < 8
      ? { ...lasting(task, 10_450), deserializeMs: 2_000 }
      : { ...lasting(task, 8_500), deserializeMs: 10 },
  );
  const [headline] = saidOf(cold);
  expect(Math.abs(lostIn(headline, "warming up executors") - 2_000)).toBeLessThan(200);
});

test("first attempts that take as long as the later ones were not cold", () => {
  const said = saidOf(smallJob((task) => ({ ...lasting(task, 10_450), deserializeMs: 10 })));
  expect(said.join()).not.toMatch(/warming up/);
});
