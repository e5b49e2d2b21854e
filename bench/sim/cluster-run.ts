/**
 * `node cluster-run.js DISCIPLINE NODES one-job|backlog`: a scenario with the defaults of a
 * scenario file, in a separate process. Prints the result as JSON.
 *
 * One job has 30 tasks per node on 10 slots per node. A backlog is 10 jobs per node, all there from
 * the beginning, each of 10 maps and 2 reduces, on 3 map slots and 2 reduce slots per node.
 */
import { assert } from "../../src/base/assert.ts";
import { parseScenario } from "../../src/hosts/sim/parse-scenario.ts";
import { simulateOnce } from "../../src/hosts/sim/simulate-once.ts";
import { parseDiscipline } from "../../src/policy/discipline.ts";
import { usage } from "../measure.ts";

const TASKS_PER_NODE = 30;
const JOBS_PER_NODE = 10;
const work = { kind: "fixed", durationMs: { kind: "uniform", from: 20_000, to: 70_000 } };

const WORKLOADS = {
  "one-job": (nodes: number) => ({
    slots: { map: 10 },
    jobs: [
      {
        name: "job",
        phases: [{ name: "map", slots: ["map"], tasks: TASKS_PER_NODE * nodes, work }],
      },
    ],
  }),
  backlog: (nodes: number) => ({
    slots: { map: 3, reduce: 2 },
    jobs: [
      {
        name: "job",
        count: JOBS_PER_NODE * nodes,
        arrival: { atMs: 0, gapMs: 0 },
        phases: [
          { name: "map", slots: ["map"], tasks: 10, work },
          {
            name: "reduce",
            slots: ["reduce"],
            tasks: 2,
            after: [{ phase: "map", start: { fraction: 0.05 } }],
            work,
          },
        ],
      },
    ],
  }),
};

const [discipline = "", size, what] = process.argv.slice(2);
assert(what === "one-job" || what === "backlog", "the workload is one-job or backlog");
const nodes = Number(size);
const { slots, jobs } = WORKLOADS[what](nodes);
const description = {
  name: what,
  cluster: { nodes: [{ name: "n", count: nodes, slots }] },
  jobs,
  study: { seeds: 1, disciplines: [{ discipline }] },
};
const { tasks, makespanMs } = simulateOnce(parseScenario(description, what), {
  seed: 1,
  discipline: parseDiscipline(discipline),
});
console.log(JSON.stringify({ tasks, makespanMs, ...usage() }));
