/** A process that makes the page of a run that is over, as `report` does. */
import { packed, wholePage } from "../../page-server/one-file.ts";
import { besideOf, documentOf, openForPage } from "../page-of.ts";
import { registryFrom } from "../policy-files.ts";
import type { ToFollow, Whole } from "./followed.ts";

async function make({ path, policies, refusals, against }: ToFollow): Promise<Whole> {
  const registry = await registryFrom({ policies });
  const open = (from: string, withRefusals: boolean) =>
    openForPage(from, { registry, refusals: withRefusals, onStored: () => {} });
  const opened = await open(path, refusals);
  const { jobs } = opened.trace;
  const other = against === undefined ? undefined : await open(against, false);
  const document = documentOf(opened, jobs, {
    ofWorst: (job) => (other === undefined ? {} : besideOf(other, job, against ?? "")),
  });
  return { kind: "whole", bytes: packed(document), job: wholePage(document, jobs).job };
}

const report = (whole: Whole): void => {
  process.send?.(whole, () => {
    if (process.connected) process.disconnect();
  });
};

process.once("message", (toFollow: ToFollow) => {
  make(toFollow).then(report, (error: unknown) =>
    report({ kind: "failed", reason: error instanceof Error ? error.message : String(error) }),
  );
});
