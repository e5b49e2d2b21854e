import { writeFileSync } from "node:fs";
import { journalWriter } from "broomwagon/journal";
import { parseDiscipline } from "broomwagon/policies";
import { parseScenario, simulateOnce } from "broomwagon/sim";
import type { Costs } from "./costs.ts";
import { HEARTBEAT_MS, MAPS, NODES, REDUCES, type Setting } from "./setting.ts";

/** Runs the setting in the simulator, with the measured costs of tasks; writes its journal. */
export function runSimulated(setting: Setting, costs: Costs, journal: string): void {
  const lines: string[] = [];
  let writer: ReturnType<typeof journalWriter> | undefined;
  simulateOnce(parseScenario(scenarioOf(setting, costs), setting.name), {
    seed: 1,
    discipline: parseDiscipline(setting.discipline, setting.set),
    onStart: (scheduler) => {
      writer = journalWriter(scheduler.setup);
      lines.push(writer.header());
    },
    onStep: (event, actions) => {
      if (writer !== undefined) lines.push(writer.step(event, actions));
    },
  });
  writeFileSync(journal, lines.map((line) => `${line}\n`).join(""));
}

/** The setting in the form of a scenario file. */
const scenarioOf = ({ name, discipline, faults }: Setting, costs: Costs): object => ({
  name,
  about: "An engine of this machine: a core for each node, and a disk that nobody waits for.",
  cluster: {
    racks: ["rack-1"],
    nodes: Array.from({ length: NODES }, (_, index) => ({
      name: `n${index + 1}`,
      count: 1,
      slots: { map: 1, reduce: 1 },
      host: "core",
    })),
    hosts: { core: { cores: 1, coresPerVm: 1, disk: 1e9, upBytesPerMs: 1e9, downBytesPerMs: 1e9 } },
    heartbeatMs: HEARTBEAT_MS,
    outOfBandHeartbeat: true,
    reportEveryMs: HEARTBEAT_MS,
    askAgainMs: HEARTBEAT_MS,
  },
  jobs: [
    {
      name: "grind",
      phases: [
        {
          name: "map",
          slots: ["map"],
          tasks: MAPS,
          work: {
            kind: "map",
            inputBytes: costs.mapInputBytes,
            replicas: NODES,
            cpuBytesPerMs: costs.mapInputBytes / costs.mapMs,
            outputPerInput: costs.outputPerInput,
            readsAhead: true,
          },
        },
        {
          name: "reduce",
          slots: ["reduce"],
          tasks: REDUCES,
          after: [{ phase: "map", start: { fraction: 0.05 } }],
          work: {
            kind: "reduce",
            startMs: costs.reduceMs,
            fetch: { retryMs: 50, reportEveryFailures: 3 },
          },
        },
      ],
    },
  ],
  faults,
  study: { seeds: 1, disciplines: [{ discipline }] },
});
