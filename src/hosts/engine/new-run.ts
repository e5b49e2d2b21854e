import { existsSync, rmSync } from "node:fs";
import { dirname, join } from "node:path";
import { InputError } from "../../base/input-error.ts";
import { webAssembly } from "../../data/kernel/web-assembly.ts";
import { importPolicies } from "../../data/load/import-policies.ts";
import { preparePolicies } from "../../data/load/policy-files.ts";
import { withOwnPolicies } from "../../policy/own-policies.ts";
import { REGISTRY } from "../../policy/registry.ts";
import { type ResumeOptions, RUN_DEFAULTS, type RunSettings } from "../../run/options.ts";
import { endLeftovers } from "../../run/process-birth.ts";
import { RunDirectory } from "../../run/run-directory.ts";
import type { RunResult } from "../../run/run-result.ts";
import { collecting } from "./collected.ts";
import { readKilledRun } from "./killed-run.ts";
import { checkSettings, OneRun } from "./one-run.ts";
import type { Control, OnEvent } from "./running.ts";

/** Runs a job from its beginning; a run that is refused leaves nothing behind. */
export async function newRun(
  asked: RunSettings,
  onEvent: OnEvent,
  control: Control,
): Promise<RunResult> {
  webAssembly();
  checkSettings(asked);
  const directory = RunDirectory.make(asked.runDirectory, new Date());
  const settings = collecting(asked, directory.path);
  const run = new OneRun({ settings, directory, onEvent });
  control.inject = (fault) => run.inject(fault);
  try {
    const { files = [] } = asked.discipline;
    if (files.length > 0) await preparePolicies({ files, into: directory.policies });
    return await run.toItsEnd();
  } catch (error) {
    // The run directory holds nothing worth keeping.
    if (error instanceof InputError && !run.isSubmitted) directory.remove();
    throw error;
  }
}

/** Goes on with a run whose process was killed: `id` is its id or its directory. */
export async function resumedRun(
  id: string,
  { runDirectory = RUN_DEFAULTS.runDirectory, signal }: ResumeOptions,
  onEvent: OnEvent,
  control: Control,
): Promise<RunResult> {
  const isFolder = id.includes("/") || existsSync(join(id, "journal.ndjson"));
  const directory = RunDirectory.adopt(isFolder ? id : join(runDirectory, id));
  const own = await importPolicies(directory.policies);
  const killedRun = readKilledRun(directory, withOwnPolicies(REGISTRY, own));
  await endLeftovers(killedRun.processes);
  const settings = {
    ...killedRun.options,
    discipline: killedRun.discipline,
    runDirectory: dirname(directory.path),
    ...(signal !== undefined && { signal }),
  };
  // The process was killed before it did anything.
  if (killedRun.plan === undefined) rmSync(directory.journal);
  const run = new OneRun({ settings, directory, onEvent, killedRun });
  control.inject = (fault) => run.inject(fault);
  return run.toItsEnd();
}
