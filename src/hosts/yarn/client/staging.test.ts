import { lookup } from "node:dns";
import { afterEach, beforeEach, expect, test } from "vitest";
import { SmallWebHdfs } from "../../../../test/support/small-web-hdfs.ts";
import { Staging } from "./staging.ts";
import { WebClient } from "./web-client.ts";
import { WebHdfs } from "./web-hdfs.ts";

const root = { fileSystem: "hdfs://m1:8020", home: "/user/ann" };
const OWN = "/user/ann/.broomwagon";
let small: SmallWebHdfs;
let hdfs: WebHdfs;

beforeEach(async () => {
  small = new SmallWebHdfs();
  hdfs = new WebHdfs({ client: new WebClient(lookup, "ann"), services: [await small.start()] });
});
afterEach(() => small.close());

test("a run's files on HDFS are for its owner alone, and Node beside them for all", async () => {
  const staging = new Staging({ hdfs, root }, "run-1");
  await staging.open();
  await staging.put("job-1/tasks.ndjson", "{}\n");
  expect(small.permissions("/user/ann")).toMatchObject({
    [OWN]: "755",
    [`${OWN}/runs`]: "755",
    [`${OWN}/runs/run-1`]: "700",
  });
});
