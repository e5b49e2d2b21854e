import { lookup } from "node:dns";
import { hostname } from "node:os";
import { afterEach, beforeEach, expect, test } from "vitest";
import { SmallWebHdfs } from "../../../../test/support/small-web-hdfs.ts";
import { owner } from "../../../run/owner.ts";
import { KEPT, OWNER_FILE, Staging } from "./staging.ts";
import { sweepStaleRuns } from "./stale-runs.ts";
import { WebClient } from "./web-client.ts";
import { WebHdfs } from "./web-hdfs.ts";

const root = { fileSystem: "hdfs://m1:8020", home: "/user/ann" };
const RUNS = "/user/ann/.broomwagon/runs";
const HOUR_MS = 3_600_000;
/** A process id higher than any on Linux. */
const DEAD = `99999999@${hostname()}`;
const ELSEWHERE = "1@another-machine";

let small: SmallWebHdfs;
let hdfs: WebHdfs;
/** By tag. */
let states: Record<string, string>;
let warned: string[];

beforeEach(async () => {
  small = new SmallWebHdfs();
  hdfs = new WebHdfs({ client: new WebClient(lookup, "ann"), services: [await small.start()] });
  [states, warned] = [{}, []];
});
afterEach(() => small.close());

const application = (state: string) => {
  const others = { finalStatus: "UNDEFINED", diagnostics: "", masterLogs: "" };
  return { id: "application_1_0001", state, ...others };
};
const rest = {
  taggedApplications: async (tags: readonly string[]) =>
    tags.flatMap((tag) => (states[tag] === undefined ? [] : [application(states[tag])])),
};

interface Left {
  readonly owner?: string;
  readonly state?: string;
  readonly hoursAgo?: number;
  readonly isKept?: boolean;
}

/** The files of a run of one job on HDFS. */
function leave({ owner: of, state, hoursAgo = 0, isKept = false }: Left): void {
  const at = Date.now() - hoursAgo * HOUR_MS;
  const run = `${RUNS}/r1`;
  small.makeDirectory(`${run}/job-1`, { modifiedAt: at });
  small.put(`${run}/job-1/tasks.ndjson`, "{}", at);
  if (of !== undefined) small.put(`${run}/${OWNER_FILE}`, of, at);
  if (isKept) small.put(`${run}/${KEPT}`, "", at);
  if (state !== undefined) states["broomwagon-r1-1"] = state;
}

test.each<[string, boolean, Left]>([
  ["its client was killed, its application has ended", true, { owner: DEAD, state: "FINISHED" }],
  ["its application goes on without its client", false, { owner: DEAD, state: "RUNNING" }],
  ["its client lives, perhaps between two jobs", false, { owner: owner(), state: "FINISHED" }],
  ["its application may be about to come", false, { owner: DEAD }],
  ["its client was killed before it submitted anything", true, { owner: DEAD, hoursAgo: 2 }],
  ["its client may live elsewhere", false, { owner: ELSEWHERE, state: "KILLED", hoursAgo: 2 }],
  [
    "its client elsewhere has been quiet",
    true,
    { owner: ELSEWHERE, state: "KILLED", hoursAgo: 25 },
  ],
  ["an earlier version has left it", true, { state: "FINISHED", hoursAgo: 25 }],
  [
    "its parts are waited for",
    false,
    { owner: DEAD, state: "FINISHED", hoursAgo: 99, isKept: true },
  ],
])("of a run: %s; it is removed: %s", async (_, isRemoved, left) => {
  leave(left);
  const own = new Staging({ hdfs, root }, "r2");
  await own.open();
  await sweepStaleRuns({ hdfs, root, rest }, own.path, (line) => warned.push(line));
  expect(await hdfs.find(`${RUNS}/r1`)).toEqual(isRemoved ? undefined : expect.anything());
  expect(await hdfs.find(own.path)).toBeDefined();
  const line = `removed ${RUNS}/r1, which a client that was killed had left`;
  expect(warned).toEqual(isRemoved ? [line] : []);
});

test("files that cannot be removed do not hinder a run", async () => {
  leave({ owner: DEAD, state: "FINISHED" });
  small.fate = () => "refused";
  await sweepStaleRuns({ hdfs, root, rest }, `${RUNS}/r2`, (line) => warned.push(line));
  expect(warned).toEqual([]);
});
