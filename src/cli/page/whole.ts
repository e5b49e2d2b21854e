/** A worker thread that makes the page of a run that is over, as `report` does. */
import { parentPort, workerData } from "node:worker_threads";
import { packed, wholePage } from "../../page-server/one-file.ts";
import { besideOf, documentOf, longestOf, openForPage } from "../page-of.ts";
import { registryFrom } from "../policy-files.ts";
import type { ToFollow, Whole } from "./followed.ts";

const { path, policies, refusals, against }: ToFollow = workerData;
const say = (whole: Whole): void => parentPort?.postMessage(whole);

async function make(): Promise<void> {
  const registry = await registryFrom({ policies });
  const open = (from: string, withRefusals: boolean) =>
    openForPage(from, { registry, refusals: withRefusals, onStored: () => {} });
  const opened = await open(path, refusals);
  const { jobs } = opened.trace;
  const other = against === undefined ? undefined : await open(against, false);
  const beside = other && besideOf(other, longestOf(jobs), against ?? "");
  const document = documentOf(opened, jobs, { ...beside });
  say({ kind: "whole", bytes: packed(document), job: wholePage(document, jobs).job });
}

make().catch((error: unknown) => {
  say({ kind: "failed", reason: error instanceof Error ? error.message : String(error) });
});
