import fc from "fast-check";
import { afterAll, afterEach, expect, test, vi } from "vitest";
import { anyFiles } from "../../test/support/any-bytes.ts";
import { anyProgram } from "../../test/support/any-program.ts";
import { type Manner, WholeRun } from "../../test/support/whole-run.ts";

const bench = new WholeRun();
afterAll(() => bench.remove());
afterEach(() => {
  vi.doUnmock("./kernel/web-assembly.ts");
  vi.resetModules();
});

const manner: fc.Arbitrary<Manner> = fc.record({
  reduces: fc.integer({ min: 1, max: 4 }),
  splitBytes: fc.oneof(fc.integer({ min: 30, max: 200 }), fc.constant(1 << 20)),
  memoryBytes: fc.constantFrom(100, 2000, 16 << 20),
  compress: fc.boolean(),
});
const files = fc.record({ left: anyFiles, right: anyFiles });

/** More of them find more: BROOMWAGON_CASES=5000. */
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

test("whatever it is made of and however it runs, a program gives the same", async () => {
  await tryPrograms(bench, CASES);
}, 600_000);

test("so it does where there is no WebAssembly", async () => {
  vi.resetModules();
  vi.doMock("./kernel/web-assembly.ts", () => ({ webAssembly: undefined }));
  const { KernelMemory } = await import("./kernel/memory.ts");
  expect(new KernelMemory(1 << 20).shared).toBeUndefined();
  const whole = await import("../../test/support/whole-run.ts");
  const plain = new whole.WholeRun();
  await tryPrograms(plain, Math.ceil(CASES / 4)).finally(() => plain.remove());
}, 600_000);
