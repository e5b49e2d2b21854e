const slots = { map: 2, reduce: 1 };
const work = (from: number, to: number) => ({
  kind: "fixed",
  durationMs: { kind: "uniform", from, to },
});

/** A scenario of about the given number of attempts, one node in ten slow, under LATE. */
export function bigScenario(attempts: number): object {
  const nodes = Math.max(4, Math.round(attempts / 200));
  const old = Math.max(1, Math.round(nodes / 10));
  const maps = Math.round((10 * attempts) / 11);
  const phases = [
    { name: "map", slots: ["map"], tasks: maps, work: work(20_000, 60_000) },
    {
      name: "reduce",
      slots: ["reduce"],
      tasks: attempts - maps,
      after: [{ phase: "map" }],
      work: work(30_000, 90_000),
    },
  ];
  return {
    name: "big",
    cluster: {
      nodes: [
        { name: "new", count: nodes - old, slots },
        { name: "old", count: old, factor: 2.5, slots },
      ],
      reportEveryMs: 10_000,
    },
    jobs: [{ name: "big", phases }],
    study: { seeds: 1, disciplines: [{ discipline: "late" }] },
  };
}
