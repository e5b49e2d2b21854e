/**
 * PageRank (Brin and Page, 1998): a page's rank is what other pages' links hand on to it. Each
 * round of the loop makes new ranks of the old ones, until none moves by more than the tolerance.
 *
 *     node examples/make-data.mjs data
 *     npx broomwagon run examples/pagerank.ts --input data/links.txt --output ranks
 */
import { collect, defineFlow, text, tsv } from "broomwagon/job";

/** How often a reader goes on by a link; else anywhere. */
const DAMPING = 0.85;

export default defineFlow(
  { name: "pagerank", counters: ["moved"], params: { tolerance: 0.001 } },
  (f) => {
    /** Lines `from to`: each page with those that it links to. */
    const pages = f
      .read("links", text("data/links.txt"))
      .map((line) => line.split(" "))
      .keyBy(
        ([from = ""]) => from,
        ([, to = ""]) => to,
      )
      .fold("pages", collect());

    const ranks = f.loop(
      "round",
      pages.mapValues(() => 1),
      { most: 50, until: ({ counters }) => counters.moved === 0 },
      (state) =>
        pages
          .join("spread", state)
          .flatMap(([page, [targets, rank]]) => [
            { page, share: 0, before: rank },
            ...targets.map((to) => ({ page: to, share: rank / targets.length, before: 0 })),
          ])
          .keyBy("page")
          .reduce("ranks", (page, parts, ctx) => {
            let share = 0;
            let before = 0;
            for (const part of parts) {
              share += part.share;
              before += part.before;
            }
            const rank = 1 - DAMPING + DAMPING * share;
            if (Math.abs(rank - before) > ctx.params.tolerance) ctx.count("moved");
            return [[page, rank] as const];
          }),
    );

    ranks
      .sortBy("by-rank", ([, rank]) => rank, { order: "descending" })
      .map(([page, rank]) => [page, rank.toFixed(3)])
      .write(tsv());
  },
);
