/**
 * Shared disks and links in this process: `w3 HOSTS lanes|all` or `late NODES SHARE_EVERY_MS`.
 * Prints the result as JSON.
 */
import { assert, defined } from "../../src/base/assert.ts";
import { Fluid } from "../../src/hosts/sim/fluid/fluid.ts";
import { parseScenario } from "../../src/hosts/sim/parse-scenario.ts";
import { simulateOnce } from "../../src/hosts/sim/simulate-once.ts";
import { parseDiscipline } from "../../src/policy/discipline.ts";
import { usage } from "../measure.ts";

const LINK_BYTES_PER_MS = 125e3;
const LANES = 5;
const bytes = (from: number, to: number) => (1 + ((31 * from + 17 * to) % 7)) * 1e6;

/**
 * W3: every host sends to every other over its up link and the other's down link, all at once, or
 * each host fetches in lanes.
 */
function shuffle(hosts: number, inLanes: boolean) {
  const fluid = new Fluid<undefined>();
  const links = (name: string) =>
    Array.from({ length: hosts }, (_, i) => fluid.addResource(`${name}${i}`, LINK_BYTES_PER_MS));
  const [up, down] = [links("up"), links("down")];
  const start = (now: number, from: number, to: number) => {
    const uses = [defined(up[from], "a link"), defined(down[to], "a link")];
    return fluid.start(now, { tag: undefined, uses, size: bytes(from, to) });
  };
  /** By flow: the next host to fetch, and its flow. */
  const following = new Map<number, { readonly to: number; readonly k: number }>();
  const fetch = (now: number, to: number, k: number) => {
    if (k >= hosts - 1) return;
    const flow = start(now, (to + 1 + k) % hosts, to);
    if (inLanes) following.set(flow, { to, k: k + LANES });
  };
  for (let to = 0; to < hosts; to += 1) {
    for (let k = 0; k < (inLanes ? LANES : hosts); k += 1) fetch(0, to, k);
  }
  let [now, sum, count] = [0, 0, 0];
  for (;;) {
    const due = fluid.nextCompletion(now);
    if (due === Number.POSITIVE_INFINITY) break;
    now = due;
    for (const flow of fluid.takeCompleted(now)) {
      sum += now;
      count += 1;
      const next = following.get(flow);
      following.delete(flow);
      if (next !== undefined) fetch(now, next.to, next.k);
    }
  }
  return { count, lastMs: now, sumMs: sum };
}

/** A sort of four maps a node, read by a fifth as many reduces, with one node in 20 slowed down. */
function sort(nodes: number, shareEveryMs: number) {
  const racks = Array.from({ length: Math.ceil(nodes / 40) }, (_, i) => `rack-${i}`);
  const map = { kind: "map", inputBytes: 64e6, cpuBytesPerMs: 40_000, outputPerInput: 1 };
  const partitionWeight = { kind: "lognormal", median: 1, sigma: 0.1 };
  const reduce = { kind: "reduce", partitionWeight, cpuBytesPerMs: 40_000 };
  const phases = [
    { name: "map", slots: ["map"], tasks: nodes * 4, work: map },
    {
      name: "reduce",
      slots: ["reduce"],
      tasks: Math.ceil(nodes / 5),
      after: [{ phase: "map", start: { fraction: 0.05 } }],
      work: reduce,
    },
  ];
  const links = { upBytesPerMs: LINK_BYTES_PER_MS, downBytesPerMs: LINK_BYTES_PER_MS };
  const description = {
    name: "sort",
    cluster: {
      racks,
      nodes: [{ name: "n", count: nodes, slots: { map: 2, reduce: 2 }, host: "machine" }],
      hosts: { machine: { cores: 2, disk: 100_000, ...links } },
      shareEveryMs,
      statisticsEveryMs: 1_000,
    },
    jobs: [{ name: "sort", phases }],
    faults: Array.from({ length: Math.ceil(nodes / 20) }, (_, i) => {
      return { kind: "slow", at: 0, node: `n-${i * 20}`, factor: 5 };
    }),
    study: { seeds: 1, disciplines: [{ discipline: "late" }] },
  };
  const scenario = parseScenario(description, "sort");
  const result = simulateOnce(scenario, { seed: 1, discipline: parseDiscipline("late") });
  return { count: result.tasks, lastMs: result.makespanMs };
}

const [what, size, how] = process.argv.slice(2);
assert(what === "w3" || what === "late", "the workload is w3 or late");
const result =
  what === "w3" ? shuffle(Number(size), how === "lanes") : sort(Number(size), Number(how));
console.log(JSON.stringify({ ...result, ...usage() }));
