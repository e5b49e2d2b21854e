import { spawnSync } from "node:child_process";
import type { LineOrder } from "../answer.ts";
import { TEN_TEXTS } from "../data/datasets.ts";
import { ours } from "../ours.ts";
import type { Work } from "./work.ts";

const WORDS = "../jobs/words.ts";

/** From version 22 on, Node starts twice as fast. */
const SMALL_SECONDS = { before22: 0.6, from22: 0.35 } as const;

/** Start and end of the program: a kilobyte of input, on each Node. */
export const small: Work = {
  name: "small",
  contenders({ file, nodes }) {
    const all = [process.execPath, ...nodes].map((node) => ({ node, major: majorOf(node) }));
    const inputs = [file("text-1k")];
    return {
      order: "any",
      contestants: all.map(({ node, major }) =>
        ours({ name: `Node ${major}`, job: WORDS, inputs, node }),
      ),
      comparisons: all.map(({ major }) => ({
        work: `small, Node ${major}`,
        ours: `Node ${major}`,
        goal: major < 22 ? SMALL_SECONDS.before22 : SMALL_SECONDS.from22,
      })),
    };
  },
};

function majorOf(node: string): number {
  const { stdout } = spawnSync(node, ["--version"], { encoding: "utf8" });
  return Number.parseInt(stdout?.slice(1) ?? "", 10);
}

/** The cost of the journal, checksums, heartbeats and LATE. */
export const safety: Work = safetyOf({
  name: "safety",
  job: WORDS,
  data: "text-50k",
  order: "any",
});

/** The same cost where a gigabyte goes through files of our own. */
export const safetyOfSort: Work = safetyOf({
  name: "safety-sort",
  job: "../jobs/sort.ts",
  data: "records",
  order: "fixed",
});

function safetyOf(about: {
  readonly name: string;
  readonly job: string;
  readonly data: string;
  readonly order: LineOrder;
}): Work {
  const { name, job, data, order } = about;
  return {
    name,
    contenders({ file }) {
      const inputs = [file(data)];
      const flags = ["--discipline", "none"];
      const environment = { BROOMWAGON_SAFETY: "off" };
      return {
        order,
        rounds: 20,
        contestants: [
          ours({ name: "safe", job, inputs }),
          ours({ name: "unsafe", job, inputs, flags, environment }),
        ],
        comparisons: [{ work: name, ours: "safe", peer: "unsafe", goal: 1.05 }],
      };
    },
  };
}

/** Ten times the data, with the same memory. */
export const tenfold: Work = {
  name: "words-10gb",
  isLong: true,
  contenders({ file }) {
    const [first = "", ...others] = TEN_TEXTS.map(file);
    return {
      order: "any",
      memory: true,
      unlike: true,
      contestants: [
        ours({ name: "ours", job: WORDS, inputs: [first, ...others] }),
        ours({ name: "ours, 1 GB", job: WORDS, inputs: [first] }),
      ],
      comparisons: [{ work: "words-10gb", ours: "ours", peer: "ours, 1 GB", goal: 11 }],
    };
  },
};
