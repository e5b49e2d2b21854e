import { readFileSync, writeFileSync } from "node:fs";
import { HADOOP, SPARK, simulated } from "./samples.ts";

/** A word of about 60 letters in which no line may break; words differ from their start on. */
const long = (name: string): string => `${name}${"_unbreakable_name".repeat(3)}_of_${name}`;

/** Histories in which nodes, jobs, users and stages have long names. `path`: where to write. */
export const LONG_NAMES: Readonly<Record<string, (path: string) => string>> = {
  Spark: (path) =>
    renamed(SPARK, path, {
      '"Host":': /"Host": "([\d.]+)"/g,
      '"Stage Name":': /"Stage Name": "([^"]+)"/g,
      '"App Name":': /"App Name": "([^"]+)"/g,
      '"App ID":': /"App ID": "([^"]+)"/g,
      '"User":': /"User": "([^"]+)"/g,
    }),
  Hadoop: (path) =>
    renamed(HADOOP, path, {
      '"hostname":': /"hostname": ?"([^"]+)"/g,
      '"jobName":': /"jobName": ?"([^"]+)"/g,
      '"userName":': /"userName": ?"([^"]+)"/g,
    }),
  "many jobs": (path) => {
    const work = { kind: "fixed", durationMs: { kind: "uniform", from: 2_000, to: 9_000 } };
    const phase = { name: long("map"), slots: ["map"], tasks: 12, work, failureProbability: 0.1 };
    writeFileSync(
      path,
      JSON.stringify({
        name: "long-names",
        cluster: {
          racks: [long("north"), long("south")],
          nodes: [
            { name: long("new"), count: 3, slots: { map: 1 } },
            { name: long("old"), count: 1, factor: 4, slots: { map: 1 } },
          ],
        },
        jobs: ["one", "other"].map((name) => ({
          name: long(name),
          user: long(`${name}-user`),
          phases: [phase],
        })),
        faults: [{ kind: "slow", at: 3_000, node: `${long("new")}-1`, factor: 3 }],
        study: { seeds: 1, disciplines: [{ discipline: "late" }] },
      }),
    );
    return simulated(path);
  },
};

/** The fixture with long names in the fields that the patterns find. */
function renamed(fixture: string, path: string, fields: Readonly<Record<string, RegExp>>): string {
  const text = readFileSync(fixture, "utf8");
  const written = Object.entries(fields).reduce(
    (before, [field, pattern]) =>
      before.replaceAll(pattern, (_, name) => `${field} ${JSON.stringify(long(name))}`),
    text,
  );
  if (written === text) throw new Error(`${fixture} has none of the fields`);
  writeFileSync(path, written);
  return path;
}
