import { expect, test } from "vitest";
import { sharedEnd, sharedStart } from "./run.ts";

test.each([
  [["cluster1-slave-41", "cluster1-slave-9"], "cluster1-slave-"],
  [["n1", "n2"], ""],
  [["rack-a-node-17", "storage-node-1"], ""],
  [["node41999", "node41998.very.long"], "node"],
])("what %j have in common before their differences is %j", (names, shared) => {
  expect(sharedStart(names)).toBe(shared);
});

test.each([
  [["n1.grid.example.com", "n2.grid.example.com"], ".grid.example.com"],
  [["n1.a.com", "n2.b.com"], ""],
  [["172.16.7.4", "172.16.9.4"], ""],
  [["alone.example.com"], ""],
])("the domain of %j is %j", (names, domain) => {
  expect(sharedEnd(names)).toBe(domain);
});
