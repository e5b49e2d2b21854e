/** A process that makes the page of what a journal holds, as `report` does. */
import { packed, wholePage } from "../../page-server/packed.ts";
import { pageOf } from "../../report/page/from-trace.ts";
import { openBeside, openForPage } from "../history/page-history.ts";
import { registryFrom } from "../policy-files.ts";
import type { Made, ToFollow } from "./making.ts";

async function make({ path, policies, refusals, against }: ToFollow): Promise<Made> {
  const registry = await registryFrom({ policies });
  const opened = await openForPage({ path, name: path }, { registry, refusals });
  const { jobs } = opened.trace;
  const beside =
    against === undefined
      ? () => ({})
      : await openBeside({ path: against, name: against }, { registry, refusals: false });
  const document = pageOf(opened.trace, { ...opened, ofWorst: (job) => beside(opened, job) });
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
