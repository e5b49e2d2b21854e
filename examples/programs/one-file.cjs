// The same in CommonJS, where a function awaits the run.
const { defineJob, run, sum } = require("broomwagon");

const [, , input = "docs/*.md"] = process.argv;

const letters = defineJob({
  *map(line) {
    for (const letter of line.toLowerCase().match(/\p{L}/gu) ?? []) yield [letter, 1];
  },
  reduce: sum(),
});

async function main() {
  const { parts } = await run(letters, { input, output: "letters", reduces: 2, overwrite: true });
  const records = parts.reduce((all, part) => all + part.records, 0);
  console.log(`${records} letters, in ${parts.length} files`);
}
main();
