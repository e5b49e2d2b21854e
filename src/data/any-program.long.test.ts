import fc from "fast-check";
import { afterAll, expect, test } from "vitest";
import { anyFiles } from "../../test/support/any-bytes.ts";
import { anyProgram } from "../../test/support/any-program.ts";
import { type Manner, WholeRun } from "../../test/support/whole-run.ts";

const bench = new WholeRun();
afterAll(() => bench.remove());

const manner: fc.Arbitrary<Manner> = fc.record({
  reduces: fc.integer({ min: 1, max: 4 }),
  splitBytes: fc.oneof(fc.integer({ min: 30, max: 200 }), fc.constant(1 << 20)),
  memoryBytes: fc.constantFrom(100, 2000, 16 << 20),
  compress: fc.boolean(),
});
const files = fc.record({ left: anyFiles, right: anyFiles });

/** More cases find more: BROOMWAGON_CASES=5000. */
const CASES = Number(process.env.BROOMWAGON_CASES ?? 40);

async function tryPrograms(bench: WholeRun, numRuns: number): Promise<void> {
  await fc.assert(
    fc.asyncProperty(anyProgram, files, manner, async (program, its, how) => {
      const { flow, same } = program;
      const { ran, meant } = await bench.both(flow, its, { manner: how, same });
      expect(ran, program.name).toEqual(meant);
    }),
    { numRuns },
  );
}

test("a program of any parts gives the same output, however it runs", async () => {
  await tryPrograms(bench, CASES);
}, 600_000);
