import { readdirSync, readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { InputError } from "../../base/input-error.ts";
import { parseScenario } from "./parse-scenario.ts";

const MACHINE = { cores: 4, disk: 60_000 };

/** A scenario with all required parts, some of them replaced. */
function scenario(parts: { cluster?: object; job?: object; phase?: object; faults?: object[] }) {
  const phase = {
    name: "map",
    slots: ["map"],
    tasks: 4,
    work: { kind: "fixed", durationMs: 1_000 },
    ...parts.phase,
  };
  const nodes = [{ name: "node", count: 2, slots: { map: 1 } }];
  return {
    name: "s",
    cluster: { nodes, ...parts.cluster },
    jobs: [{ name: "job", phases: [phase], ...parts.job }],
    study: { disciplines: [{ discipline: "none" }] },
    ...(parts.faults === undefined ? {} : { faults: parts.faults }),
  };
}

const WITH_HOST = {
  hosts: { machine: MACHINE },
  nodes: [{ name: "node", count: 2, slots: { map: 1 }, host: "machine" }],
};
const slow = (node: string) => ({ kind: "slow", at: 0, node, factor: 2 });
const reduce = { name: "reduce", slots: ["reduce"], tasks: 1, work: { kind: "reduce" } };

describe("a scenario file", () => {
  test("needs little: absent fields have Hadoop's defaults", () => {
    const { cluster, jobs, faults, study } = parseScenario(scenario({}), "s.json");
    expect(cluster).toMatchObject({
      slotKinds: ["map", "reduce"],
      racks: ["rack"],
      heartbeatMs: 3_000,
      reportEveryMs: 3_000,
      askAgainMs: 3_000,
      attemptsMax: 4,
    });
    expect(jobs[0]?.phases[0]?.work).toEqual({
      kind: "fixed",
      drawnPerAttempt: false,
      slowedByNode: true,
      startMs: 0,
      inputBytes: 0,
      replicas: 0,
      stages: [{ name: "run", share: 1, steps: 1, stepMs: 1_000 }],
    });
    expect(faults).toEqual([]);
    expect(study.disciplines).toEqual([{ discipline: "none", label: "none", set: {} }]);
  });

  test("a disk has one rate, or a rate by the number of streams", () => {
    const read = (disk: unknown) =>
      parseScenario(
        scenario({ cluster: { ...WITH_HOST, hosts: { machine: { ...MACHINE, disk } } } }),
        "s.json",
      ).cluster.hosts.machine?.disk;
    const point = (streams: number, bytesPerMs: number) => ({ streams, bytesPerMs });
    expect(read(50)).toEqual([{ streams: 1, perMs: 50 }]);
    expect(read([point(1, 50), point(2, 80)])).toEqual([
      { streams: 1, perMs: 50 },
      { streams: 2, perMs: 80 },
    ]);
    expect(() => read([point(2, 50), point(2, 80)])).toThrow(
      "cluster.hosts.machine.disk[1].streams: expected more than 2, found 2",
    );
  });

  test.each([
    [[], "s.json: expected a scenario, found []"],
    [{ ...scenario({}), color: 1 }, "s.json: color: unknown; a scenario has name, about, cluster"],
    [scenario({ cluster: { nodes: [] } }), "s.json: cluster.nodes: expected a list of 1 or more"],
    [
      scenario({ cluster: { nodes: [{ name: "n", slots: { gpu: 1 } }] } }),
      's.json: cluster.nodes[0].slots: expected one of map, reduce, found "gpu"',
    ],
    [
      scenario({ cluster: { nodes: [{ name: "n", slots: {}, host: "big" }] } }),
      's.json: cluster.nodes[0].host: expected nothing: none is defined, found "big"',
    ],
    [
      scenario({ phase: { slots: ["gpu"] } }),
      's.json: jobs[0].phases[0].slots[0]: expected one of map, reduce, found "gpu"',
    ],
    [
      scenario({ phase: { work: { kind: "fixed", durationMs: { kind: "normal" } } } }),
      "s.json: jobs[0].phases[0].work.durationMs.kind: expected one of",
    ],
    [
      scenario({
        phase: { work: { kind: "fixed", stages: [{ name: "a", share: 0.5, stepMs: 1 }] } },
      }),
      "s.json: jobs[0].phases[0].work.stages: expected stages whose shares sum to 1, found 0.5",
    ],
    [
      scenario({ phase: { work: { kind: "map", inputBytes: 1, replicas: 1 } } }),
      "s.json: jobs[0].phases[0].work: expected a host for every group of nodes: node has none",
    ],
    [
      scenario({ cluster: WITH_HOST, phase: { work: { kind: "map", inputBytes: 1 } } }),
      "s.json: jobs[0].phases[0].work.replicas: expected at most 2, one on each node, found 3",
    ],
    [
      scenario({ cluster: WITH_HOST, job: { phases: [reduce] } }),
      "s.json: jobs[0].phases[0].work.kind: expected a phase that comes after the one that it",
    ],
    [
      scenario({ phase: { after: [{ phase: "later" }] } }),
      's.json: jobs[0].phases[0].after[0].phase: expected nothing: none is defined, found "later"',
    ],
    [
      scenario({ phase: { tasks: 1e10 } }),
      "s.json: jobs[0].phases[0].tasks: expected a whole number from 1 to 10000000, found",
    ],
    [
      scenario({ cluster: { nodes: [{ name: "n", slots: {}, count: 1e9 }] } }),
      "s.json: cluster.nodes[0].count: expected a whole number from 1 to 1000000, found 1000000000",
    ],
    [
      { ...scenario({}), study: { firstSeed: 2 ** 53 - 1, disciplines: [{ discipline: "none" }] } },
      "s.json: study.firstSeed: expected a whole number of at most 4503599627370496",
    ],
    [
      scenario({ faults: [slow("node-0"), slow("node")] }),
      's.json: faults[1].node: expected one of node-0, node-1, found "node"',
    ],
    [
      scenario({ faults: [{ kind: "slow", at: 0, node: "node-0" }] }),
      "s.json: faults[0].factor: expected a number above 0 or how it is drawn",
    ],
  ])("a mistake is reported with its place and what was expected: %#", (json, message) => {
    expect(() => parseScenario(json, "s.json")).toThrow(InputError);
    expect(() => parseScenario(json, "s.json")).toThrow(message);
  });

  const folder = new URL("../../../scenarios/", import.meta.url);
  const files = readdirSync(folder).filter((name) => name.endsWith(".json"));
  test.each(files)("%s is a scenario", (file) => {
    const json: unknown = JSON.parse(readFileSync(new URL(file, folder), "utf8"));
    expect(`${parseScenario(json, file).name}.json`).toBe(file);
  });
});
