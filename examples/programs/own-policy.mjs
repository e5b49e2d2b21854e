// Compares a policy of one's own with LATE and with none, in the simulator.
import { fileURLToPath } from "node:url";
import { simulate } from "broomwagon";

const [, , scenario = "scenarios/one-straggler.json"] = process.argv;
const policies = fileURLToPath(new URL("../your-own-policy.ts", import.meta.url));

for (const discipline of ["none", "late", "oldest"]) {
  const { rows } = await simulate(scenario, { discipline, policies, seeds: 3 });
  const [{ responseMs }] = rows;
  console.log(`${discipline} ${(responseMs.mean / 1_000).toFixed(1)} s`);
}
