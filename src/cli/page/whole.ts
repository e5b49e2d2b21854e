/** A process that makes the page of what a journal holds, as `report` does. */
import { packed, wholePage } from "../../page-server/packed.ts";
import { besideOf, documentOf, openForPage } from "../page-of.ts";
import { registryFrom } from "../policy-files.ts";
import type { Made, ToFollow } from "./making.ts";

async function make({ path, policies, refusals, against }: ToFollow): Promise<Made> {
  const registry = await registryFrom({ policies });
  const open = (from: string, withRefusals: boolean) =>
    openForPage(from, { registry, refusals: withRefusals, onStored: () => {} });
  const opened = await open(path, refusals);
  const { jobs } = opened.trace;
  const other = against === undefined ? undefined : await open(against, false);
  const document = documentOf(opened, jobs, {
    ofWorst: (job) =>
      other === undefined ? {} : besideOf(other, { trace: opened.trace, job }, against ?? ""),
  });
  return { kind: "made", page: packed(wholePage(document, jobs)) };
}

const report = (made: Made): void => {
  process.send?.(made, () => {
    if (process.connected) process.disconnect();
  });
};

process.once("message", (toFollow: ToFollow) => {
  make(toFollow).then(report, (error: unknown) =>
    report({ kind: "failed", reason: error instanceof Error ? error.message : String(error) }),
  );
});
