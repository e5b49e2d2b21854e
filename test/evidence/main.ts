import { rmSync } from "node:fs";
import { flags, wholeNumber } from "../letter/flags.ts";
import { ownHistories, sharedHistories } from "./histories.ts";
import { tryWorlds } from "./judge-worlds.ts";
import { tryMutations } from "./mutations.ts";
import { trySimulated } from "./simulated/judge.ts";
import { failures, isBroken, Tally, table } from "./tally.ts";

/**
 * `npm run evidence -- [--seed N] [--mutations M] [--worlds W] [--simulated S]`: damages good
 * histories and makes jobs with known faults, and asks `why` about each. Prints how often each
 * property was tried and failed; the first inputs that failed one are kept in a folder. Exits with
 * 1 on any failure, with 2 on an unknown flag.
 */
const values = flags({
  seed: { type: "string", default: "1" },
  mutations: { type: "string", default: "200" },
  worlds: { type: "string", default: "40" },
  simulated: { type: "string", default: "20" },
});
const seed = wholeNumber("seed", values.seed);
const keptIn = `.build/evidence-failed/${seed}`;
rmSync(keptIn, { recursive: true, force: true });
const tally = new Tally();
const histories = [...ownHistories(), ...sharedHistories()];
const mutations = wholeNumber("mutations", values.mutations, 0);
await tryMutations({ seed, count: mutations, histories, keptIn }, tally);
await tryWorlds({ seed, count: wholeNumber("worlds", values.worlds, 0), keptIn }, tally);
const simulated = wholeNumber("simulated", values.simulated, 0);
await trySimulated({ seed, count: simulated, keptIn }, tally);
const rows = tally.rows();
process.stdout.write(table(rows));
const isFaulty = rows.some(isBroken);
if (isFaulty) process.stdout.write(`\nfirst failures, kept in ${keptIn}:\n${failures(rows)}`);
process.exitCode = isFaulty ? 1 : 0;
