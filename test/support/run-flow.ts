import {
  type InputPlan,
  type ProgressListener,
  planSplits,
  runInThread,
} from "../../src/data/index.ts";
import type { Flow } from "../../src/job/index.ts";
import type { DataPathBench } from "./data-path.ts";

/** Runs a flow over files, through the data path; each of its reads gets all of them. */
export async function runFlow(
  bench: DataPathBench,
  flow: Flow,
  files: Readonly<Record<string, string | Buffer>>,
  how: { readonly splitBytes?: number; readonly progress?: ProgressListener } = {},
): Promise<void> {
  const { program } = flow;
  const { progress, splitBytes = 1 << 20 } = how;
  const from = bench.inputs(files);
  const inputs = new Map<string, InputPlan>();
  for (const { reads } of program.phases) {
    if (reads.kind !== "input") continue;
    const { input, name } = reads;
    inputs.set(name, await planSplits({ input, paths: [from], from, splitBytes }));
  }
  const [work, output] = [bench.directory(), bench.directory()];
  await runInThread({
    ...{ program, params: program.params, inputs, reduces: 1, work, output },
    ...(progress !== undefined && { progressOf: () => progress }),
  });
}
