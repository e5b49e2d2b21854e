/**
 * Serves a page from the build whose rows change whenever the parent says so. Reports its address,
 * then its resident memory after each change.
 */
import { columnsBy } from "../../../dist/base/rows.js";
import { keepHeapsSmall } from "../../../dist/page-server/memory.js";
import { PageSource } from "../../../dist/page-server/page-source.js";
import { servePage } from "../../../dist/page-server/server.js";
import { SENT } from "../../../dist/report/page/live/frame.js";

const ROWS = Number(process.argv[2]);

const HEAD = {
  schema: "broomwagon/page@3",
  title: "job",
  host: "simulator",
  format: "journal",
  source: "journal",
  originMs: 0,
  nodes: [{ name: "n" }],
  jobs: [{ name: "job", submittedAt: 0, endedAt: 0, outcome: "cut-off" }],
  phases: [{ job: 0, name: "map", tasks: ROWS, reads: [] }],
  rows: [{ node: 0, kind: "map" }],
  lanes: [0],
  slotsKnown: true,
  spans: [],
  lacks: [],
  notes: [],
};

let state = 1;
/** A number that compression cannot guess. */
function random() {
  state = (state * 48_271) % 2_147_483_647;
  return state;
}

/** The columns in which every row differs; the others hold 0. */
const CHANGED = {
  id: (i) => i,
  task: (i) => i,
  endedAt: random,
  curves: () => random() >> 8,
};
for (const name of Object.keys(CHANGED)) {
  if (!(name in SENT)) throw new Error(`a sent row has no column ${name}`);
}

function rows() {
  const columns = columnsBy(SENT, (name, { make }) => {
    const cells = make(ROWS);
    const of = CHANGED[name];
    for (let i = 0; of !== undefined && i < cells.length; i += 1) cells[i] = of(i);
    return cells;
  });
  return { length: ROWS, columns };
}

/** Every row has changed. */
function made(cursor) {
  return {
    cursor,
    now: { endsAt: cursor, firstLaunches: ROWS, offeredMs: 0 },
    head: HEAD,
    decisions: [],
    refusals: [],
    gone: [],
    rows: rows(),
  };
}

keepHeapsSmall();
const FRAMES = [made(0), made(1)];
const source = new PageSource();
const server = await servePage(source);
process.send?.({ address: server.address });
process.on("message", (cursor) => {
  source.apply({ ...FRAMES[cursor % 2], cursor });
  process.send?.({ rss: process.memoryUsage.rss() });
});
process.on("disconnect", () => process.exit());
