import { type Line, seconds } from "../format.ts";
import type { Commands, Script } from "../script.ts";

/** print WHAT NAME...: facts of the view. */
export const printCommands: Commands = {
  print(script, line) {
    const [what = "", ...names] = line.words;
    const fact = FACTS.get(what) ?? line.fail(`expected one of ${[...FACTS.keys()].join(", ")}`);
    return names.length === 0
      ? [fact(script, "", line)]
      : names.map((name) => fact(script, name, line));
  },
};

type Fact = (script: Script, name: string, line: Line) => string;

const FACTS: ReadonlyMap<string, Fact> = new Map<string, Fact>([
  [
    "phase",
    ({ host }, name, line) => {
      const [jobName, phaseName] = name.split("/");
      const job = host.jobs.find((one) => one.name === jobName);
      const phase = job?.phases.find((one) => one.name === phaseName) ?? line.fail("no such phase");
      const counts = Object.entries(host.scheduler.view.counts(phase.id));
      return `${name}: ${counts.map(([what, count]) => `${count} ${what}`).join(", ")}`;
    },
  ],
  [
    "task",
    ({ host }, name) => {
      const { view } = host.scheduler;
      const task = host.task(name);
      const states = [
        view.isDone(task) ? "done" : "not done",
        view.isWaiting(task) ? "waiting" : "not waiting",
        `${view.failures(task)} failures`,
        `${view.restarts(task)} restarts`,
        `output on ${
          view
            .outputNodes(task)
            .map((node) => host.names.node(node))
            .join(",") || "none"
        }`,
      ];
      const attempts = view.attemptsOf(task).map((one) => `${one.as} ${one.state}`);
      return `${name}: ${[...states, ...attempts].join(", ")}`;
    },
  ],
  [
    "progress",
    ({ host }, name) => {
      const { view } = host.scheduler;
      const attempt = host.names.findAttempt(name);
      if (attempt === undefined) throw new Error(`no attempt ${name}`);
      const { score, stage } = view.progress(attempt);
      const perSecond = round(view.rate(attempt) * 1_000);
      return `${name}: score ${round(score)} in stage ${stage}, ${perSecond} per second`;
    },
  ],
  [
    "node",
    ({ host }, name) => {
      const { view } = host.scheduler;
      const { id } = host.node(name);
      const joined = [...view.nodes()].some((node) => node.id === id);
      if (!joined) return `${name}: lost`;
      const since = view.silentSince(id);
      const silence = since === undefined ? "heard" : `silent since ${seconds(since)}`;
      const running = view.runningOn(id).map((one) => `${host.names.attempt(one.id)} ${one.state}`);
      return `${name}: ${[silence, ...running].join(", ")}`;
    },
  ],
  [
    "slots",
    ({ host, setup }) => {
      const { view } = host.scheduler;
      const free = setup.racks.map((rack, id) => {
        const counts = view.kinds.map((kind) => view.freeSlots(view.racks[id]!, kind));
        return `${rack} ${counts.join("+")} free`;
      });
      const all = view.kinds.map(
        (kind) => `${setup.slotKinds[kind]} ${view.running(kind)} of ${view.slots(kind)} running`,
      );
      return [...all, ...free].join(", ");
    },
  ],
  [
    "jobs",
    ({ host }) =>
      [...host.scheduler.view.jobs()].map((job) => host.names.job(job.id)).join(" ") || "none",
  ],
  ["events", ({ host }) => `${host.journal.length - 1} events`],
]);

const round = (value: number): number => Math.round(value * 10_000) / 10_000;
