import { expect, test } from "vitest";
import { InputError } from "../../base/input-error.ts";
import { parseScenario } from "./parse-scenario.ts";

const LIMITED = { rackUpBytesPerMs: 100, rackDownBytesPerMs: 100 };
const MACHINE = { cores: 4, disk: 60_000 };

/** Two nodes with a host and one without, in racks r1 and r2. */
const withFault = (fault: object, cluster: object = LIMITED) =>
  parseScenario(
    {
      name: "s",
      cluster: {
        racks: ["r1", "r2"],
        nodes: [
          { name: "vm", count: 2, slots: { map: 1 }, host: "machine" },
          { name: "bare", slots: { map: 1 } },
        ],
        hosts: { machine: MACHINE },
        ...cluster,
      },
      jobs: [
        {
          name: "job",
          phases: [
            { name: "map", slots: ["map"], tasks: 1, work: { kind: "fixed", durationMs: 1 } },
          ],
        },
      ],
      faults: [{ at: 0, ...fault }],
      study: { disciplines: [{ discipline: "none" }] },
    },
    "s.json",
  );

test.each([
  { kind: "slow", node: "*", factor: { kind: "choice", values: [1, 2] }, everyMs: 5 },
  { kind: "load", node: "vm-*", pick: 2, processes: 1 },
  { kind: "kill", node: "vm-0", what: "tracker", backAfterMs: { kind: "exponential", mean: 9 } },
  { kind: "lose-outputs", node: "v*", share: 0.5 },
  { kind: "evict", node: "bare", count: 2 },
  { kind: "evict", at: { kind: "uniform", from: 0, to: 9 }, node: "bare", share: 0.1 },
  { kind: "congestion", rack: "r*", share: { kind: "uniform", from: 0, to: 1 }, way: "down" },
])("$kind is a fault", (fault) => {
  expect(withFault(fault).faults[0]).toEqual({ at: 0, ...fault });
});

test.each([
  [{ kind: "slow", node: "wm-*", factor: 2 }, 'node: expected one of vm-0, vm-1, bare, found "wm'],
  [{ kind: "slow", node: "vm-*", pick: 3, factor: 2 }, "pick: expected at most 2, the nodes meant"],
  [
    { kind: "slow", node: "*", factor: { kind: "uniform", from: 0, to: 2 } },
    "factor.from: expected more than 0, found 0",
  ],
  [
    { kind: "evict", node: "*", everyMs: { kind: "choice", values: [1, 0] } },
    "everyMs.values: expected numbers above 0",
  ],
  [{ kind: "load", node: "vm-0" }, "expected processes or writers, found none of them"],
  [{ kind: "load", node: "*", writers: 1 }, "expected nodes with a host, whose cores and disk"],
  [{ kind: "load", node: "*", writers: 1 }, "bare has none; a slow-down or stress has a factor"],
  [{ kind: "kill", node: "vm-0", what: "disk" }, 'what: expected one of "machine", "reboot", "tr'],
  [{ kind: "evict", node: "*", count: 1, share: 1 }, "expected either a count or a share"],
  [{ kind: "lose-outputs", node: "*", share: 2 }, "share: expected a number from 0 to 1, found 2"],
  [{ kind: "congestion", rack: "r3", share: 1 }, 'rack: expected one of r1, r2, found "r3"'],
  [{ kind: "congestion", node: "vm-0", share: 1 }, "node: unknown; others' traffic between racks"],
])("an impossible fault is refused: %j, %s", (fault, says) => {
  expect(() => withFault(fault)).toThrow(InputError);
  expect(() => withFault(fault)).toThrow(`s.json: faults[0]`);
  expect(() => withFault(fault)).toThrow(says);
});

test("congestion needs links with a limit", () => {
  const congestion = { kind: "congestion", rack: "*", share: 0.5 };
  expect(() => withFault(congestion, {})).toThrow("faults[0]: expected racks whose links have a");
  expect(() => withFault(congestion, { rackUpBytesPerMs: 1 })).not.toThrow();
});

test("oversubscription relates to machines' links, and replaces the racks' limits", () => {
  const slow = { kind: "slow", node: "*", factor: 2 };
  const both = { ...LIMITED, oversubscription: 2 };
  expect(() => withFault(slow, both)).toThrow("cluster.oversubscription: expected either this or");
  expect(() => withFault(slow, { oversubscription: 2 })).toThrow(
    "cluster.oversubscription: expected a host with upBytesPerMs and downBytesPerMs for vm",
  );
});
