import { basename, extname, join, resolve } from "node:path";
import { InputError } from "../../../base/input-error.ts";
import type { OnBadRecord } from "../../../data/formats/malformed.ts";
import {
  type InputPlan,
  importProgram,
  prepareJobFile,
  resolveParams,
  type Split,
} from "../../../data/index.ts";
import type { Params } from "../../../job/index.ts";
import type { Program } from "../../../job/program.ts";
import { asText, ownOutput, pathsByRead, readsOf } from "../../../run/job-plan.ts";
import type { ClusterAccess } from "./cluster-access.ts";
import { hdfsPath } from "./hdfs-path.ts";
import { hostsOfSplits, planHdfsSplits } from "./hdfs-splits.ts";
import type { YarnOptions } from "./yarn-options.ts";

/** The plan of a run on the cluster, before anything has begun. */
export interface YarnPlan {
  readonly program: Program;
  readonly name: string;
  readonly params: Params;
  readonly inputs: ReadonlyMap<string, InputPlan>;
  /** The files, directories and globs on HDFS that named the input files. */
  readonly inputPaths: readonly string[];
  readonly hosts: ReadonlyMap<Split, readonly string[]>;
  /** A path on HDFS. */
  readonly output: string;
  readonly onBadRecord: OnBadRecord;
}

/** InputError for a mistake in job file, input or parameters. */
export async function planYarn(
  access: ClusterAccess,
  options: YarnOptions,
  /** Local directories of the run. */
  { prepared, looked }: { readonly prepared: string; readonly looked: string },
): Promise<YarnPlan> {
  const { outputChange, onBadRecord = "fail", splitBytes } = options;
  const jobFile = resolve(options.jobFile);
  const file = await prepareJobFile({ file: jobFile, into: prepared, outputChange });
  const program = await importProgram(file);
  const params = resolveParams(program, asText(options.params ?? {}));
  const output = options.output ?? ownOutput(program);
  if (output === undefined) {
    const expected = "expected a directory on HDFS, in the job file or by --output";
    throw new InputError("bad-flag", "output", expected);
  }
  const { hdfs, root } = access;
  const reads = readsOf(program);
  const paths = pathsByRead(reads, options.input);
  const inputs = new Map<string, InputPlan>();
  for (const [name, input] of reads) {
    const query = { hdfs, root, input, splitBytes, onBadRecord, into: join(looked, name) };
    inputs.set(name, await planHdfsSplits({ ...query, paths: paths.get(name) ?? [] }));
  }
  const splits = [...inputs.values()].flatMap((plan) => plan.splits);
  return {
    program,
    name: program.name ?? basename(jobFile, extname(jobFile)),
    params,
    inputs,
    inputPaths: [...paths.values()].flat().map((path) => hdfsPath(path, root)),
    hosts: await hostsOfSplits(hdfs, root, splits),
    output: hdfsPath(output, root),
    onBadRecord,
  };
}
