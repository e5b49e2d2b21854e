/**
 * Makes data for the examples, the same each time:
 *
 *     node examples/make-data.mjs data
 *
 * data/books/*.txt, data/visits.csv, data/countries.csv, data/links.txt; a few megabytes in all.
 */
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";

const directory = process.argv[2] ?? "data";

/** Numbers from 0 to 1 that follow from a seed: a linear congruential generator. */
let state = 1;
function random() {
  state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
  return state / 2 ** 32;
}

/** Few things are frequent, many are rare. */
const skewed = (count) => Math.floor(count * random() ** 3);

const SYLLABLES = "ba be bi da de do ka ke ko la le lo ma me mi na ne no ra re ro sa se so".split(" ");
const word = (number) => {
  let text = "";
  for (let rest = number + 1; rest > 0; rest = Math.floor(rest / SYLLABLES.length)) {
    text += SYLLABLES[rest % SYLLABLES.length];
  }
  return text;
};

const lines = (count, line) => Array.from({ length: count }, (_, i) => `${line(i)}\n`).join("");

mkdirSync(join(directory, "books"), { recursive: true });
for (let book = 0; book < 4; book++) {
  const line = () => Array.from({ length: 12 }, () => word(skewed(5000))).join(" ");
  writeFileSync(join(directory, "books", `book-${book}.txt`), lines(5000, line));
}

const COUNTRIES = { AT: "Austria", BR: "Brazil", DE: "Germany", IN: "India", JP: "Japan", NO: "Norway" };
const codes = Object.keys(COUNTRIES);
writeFileSync(
  join(directory, "countries.csv"),
  `code,name\n${codes.map((code) => `${code},${COUNTRIES[code]}\n`).join("")}`,
);
const visit = (i) => {
  const status = random() < 0.03 ? 404 : 200;
  const country = codes[skewed(codes.length)];
  return [i, `/${word(skewed(800))}.html`, country, status, 200 + skewed(50_000)].join(",");
};
writeFileSync(join(directory, "visits.csv"), `time,page,country,status,bytes\n${lines(60_000, visit)}`);

const PAGES = 2000;
const link = (i) => `page-${i % PAGES} page-${skewed(PAGES)}`;
writeFileSync(join(directory, "links.txt"), lines(5 * PAGES, link));
