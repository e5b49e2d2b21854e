// Speaks docs/internals/yarn-protocol.md from a script, to see what the plug-in does with each
// command. All maps but one wait at a gate, a file that this script makes when it has finished its
// commands.
import { appendFileSync, writeFileSync } from "node:fs";
import { createInterface } from "node:readline";

const heard = [];
let waiting = [];
let journal;

function record(kind, line) {
  appendFileSync(journal, `${JSON.stringify({ host: { kind, line } })}\n`);
}

/** The first line, received or to come, that meets the condition. */
function line(isWanted) {
  const found = heard.find(isWanted);
  if (found !== undefined) return Promise.resolve(found);
  return new Promise((resolve) => waiting.push({ isWanted, resolve }));
}

function say(said) {
  record("to-am", said);
  process.stdout.write(`${JSON.stringify(said)}\n`);
}

let commands = 0;

/** Gives the command and waits for its answer. */
async function command(said) {
  commands += 1;
  const number = commands;
  say({ command: number, ...said });
  const answer = await line(
    ({ type, command }) => (type === "done" || type === "refused") && command === number,
  );
  return { number, ...answer };
}

const copy = (task, where, timeoutMs) =>
  command({ type: "copy", task, where, ...(timeoutMs && { timeoutMs }), why: { rule: "script" } });

const anywhere = { on: "any" };
const nowhere = { on: "only", hosts: ["no-such-host"] };
const hosts = ["n1", "n2", "n3", "n4"];

async function run({ settings, capabilities }) {
  const { maps } = await line(({ type }) => type === "job");
  const tasks = maps.map((_, index) => `m_${String(index).padStart(6, "0")}`);
  const started = await Promise.all(
    tasks.map((task) => line((one) => one.type === "started" && one.task === task)),
  );
  const { task: free } = await line(({ type }) => type === "ended");
  const [first, second, third] = started.filter(({ task }) => task !== free);

  // Waits for the maps, because Hadoop ends a job that adds an attempt to a finished task.
  await copy("r_000000", anywhere);
  await copy("nobody", anywhere);
  await copy("m_999999", anywhere);
  await copy(first.task, { on: "only", hosts: [] });
  await command({ type: "kill", attempt: `${first.task}_77` });
  await command({ type: "withdraw", of: 4711 });
  await copy(free, anywhere);

  if (capabilities.placement) await placed(first.task, first.host, second.task);
  else await unplaced(first.task);

  await command({ type: "kill", attempt: third.attempt });
  await line(({ type, attempt }) => type === "started" && attempt === `${third.task}_1`);
  writeFileSync(settings.gate, "");
  if (settings.end === "garbage") process.stdout.write("[1, 2\n");
}

async function placed(task, host, other) {
  await copy(task, nowhere, 2000);
  const { attempt } = await copy(task, { on: "only", hosts: hosts.filter((one) => one !== host) });
  await line((one) => one.type === "started" && one.attempt === attempt);
  // The copy is answered only when it is given up.
  const givenUp = copy(other, nowhere, 60_000);
  await command({ type: "withdraw", of: commands });
  await givenUp;
}

async function unplaced(task) {
  await copy(task, nowhere);
  const { attempt, number } = await copy(task, anywhere);
  await command({ type: "withdraw", of: number });
  await line((one) => one.type === "started" && one.attempt === attempt);
}

function hear(one) {
  if (one.type === "hello") journal = one.journal;
  record("from-am", one);
  if (one.type === "tick") say({ type: "tock", tick: one.tick });
  if (one.type === "hello") {
    say({ type: "ready", protocol: 1, discipline: "a script" });
    run(one);
  }
  heard.push(one);
  for (const { isWanted, resolve } of waiting) if (isWanted(one)) resolve(one);
  waiting = waiting.filter(({ isWanted }) => !isWanted(one));
}

for await (const text of createInterface({ input: process.stdin })) hear(JSON.parse(text));
