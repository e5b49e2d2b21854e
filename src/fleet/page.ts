import { CAUSES, wordsOf } from "../diagnose/cause.ts";
import { percent, plain } from "../diagnose/figures.ts";
import { draw } from "../report/chart/draw.ts";
import type { Bars } from "../report/chart/drawing.ts";
import { STYLE } from "../report/chart/style.ts";
import { element, escaped } from "../report/markup.ts";
import { counted } from "../report/quantity.ts";
import type { JobDigest } from "./digest.ts";
import type { Fleet, Span } from "./fleet.ts";
import { fleetSentences } from "./sentences.ts";

/** Jobs that have a row of their own. */
const SHOWN = 200;

/** A self-contained HTML file: the answer, causes by day, nodes, and the jobs that lost most. */
export function fleetPage(
  fleet: Fleet,
  jobs: readonly (JobDigest & { readonly history: string })[],
): string {
  const [headline = "", ...others] = fleetSentences(fleet);
  const sentences = others.map((sentence) => element("p", {}, escaped(sentence)));
  const body = [
    element("h1", {}, escaped(headline)),
    ...sentences,
    element(
      "div",
      { class: "pictures" },
      ...(fleet.days.length > 1 ? [figure("Lost time by day", byDay(fleet.days))] : []),
      ...(fleet.total.delayMs > 0 ? [figure("Lost time by cause", byCause(fleet.total))] : []),
    ),
    ...nodesSection(fleet),
    ...failuresSection(fleet),
    element("h2", {}, jobs.length > SHOWN ? `The ${SHOWN} jobs that lost most` : "Jobs"),
    table(
      ["job", "ended", "took, s", "lost, s", "share", "history"],
      jobs.slice(0, SHOWN).map(cells),
    ),
  ];
  const head = [
    '<meta charset="utf-8">',
    '<meta name="viewport" content="width=device-width, initial-scale=1">',
    element("title", {}, "Broomwagon: many jobs"),
    element("style", {}, STYLE + WIDTHS),
  ];
  return [
    "<!doctype html>",
    `<html lang="en"><head>${head.join("")}</head>`,
    `<body><main>${body.join("\n")}</main></body></html>`,
    "",
  ].join("\n");
}

/** Names in tables are not broken: a table that is wider than the page scrolls. */
const WIDTHS = `h1, p { overflow-wrap: anywhere; }
th.number { text-align: right; }
.number + :not(.number) { padding-left: 16px; }
td:first-child, td.list span { white-space: nowrap; } td.list { min-width: 30ch; }
`;

function figure(title: string, drawing: Bars): string {
  const box = element("div", { class: "scroll" }, draw(drawing));
  return element("section", {}, element("h2", {}, title), element("article", {}, box));
}

/** Causes that a picture shows, and jobs that are named with a node. */
const NAMED = 5;
/** A cause of a smaller share of the lost time is no bar that one could see. */
const SEEN = 0.01;
/** More labels would run into each other. */
const DAYS_LABELLED = 12;

/** The largest causes of the whole time, and the others together. */
function byDay(days: Fleet["days"]): Bars {
  const total = new Map(CAUSES.map((cause) => [cause, 0]));
  for (const { cause, ms } of days.flatMap(({ causes }) => causes)) {
    total.set(cause, (total.get(cause) ?? 0) + Math.max(ms, 0));
  }
  const all = [...total.values()].reduce((sum, ms) => sum + ms, 0);
  const largest = [...total]
    .filter(([, ms]) => ms > SEEN * all)
    .sort((a, b) => Math.sign(b[1] - a[1]))
    .slice(0, NAMED);
  const every = Math.ceil(days.length / DAYS_LABELLED);
  return {
    ...{ kind: "bars", figure: "days", title: "Response time lost by day of submission (UTC)" },
    y: { title: "lost, s" },
    groups: days.map(({ day, causes }, n) => ({
      label: n % every === 0 ? day.slice(5) : "",
      bars: largest.map(([cause]) => ({
        series: wordsOf(cause).label,
        value: Math.max(0, causes.find((row) => row.cause === cause)?.ms ?? 0) / 1_000,
      })),
    })),
  };
}

const byCause = ({ causes, delayMs }: Span): Bars => ({
  ...{ kind: "bars", figure: "causes", title: "Response time lost to each cause, all jobs" },
  y: { title: "lost, s" },
  groups: causes
    .filter(({ ms }) => ms > SEEN * delayMs)
    .map(({ cause, ms }) => ({
      label: wordsOf(cause).label,
      bars: [{ series: "all jobs", value: ms / 1_000 }],
    })),
});

function nodesSection({ nodes }: Fleet): readonly string[] {
  const slow = nodes.filter(({ isSlow, slowIn }) => isSlow || slowIn > 1);
  if (slow.length === 0) return [];
  const rows = slow.map(({ node, jobs, hurt, slowIn, factor, delayMs }): readonly Cell[] => [
    ...[node, number(`${Math.max(hurt.length, slowIn)} of ${jobs}`), number(factor.toFixed(2))],
    ...[number(plain(delayMs)), listOf(hurt)],
  ]);
  const titles = ["node", "slow in jobs", "times slower", "cost, s", "which"];
  return [element("h2", {}, "Slow nodes"), table(titles, rows)];
}

/** A few of the jobs, and how many others there are. */
function listOf(ids: readonly string[]): Cell {
  const others = ids.length - NAMED;
  const named = [...ids.slice(0, NAMED), ...(others > 0 ? [counted(others, "other")] : [])];
  const content = named.map((id) => element("span", {}, escaped(id))).join(", ");
  return { class: "list", content };
}

function failuresSection({ failures }: Fleet): readonly string[] {
  if (failures.length === 0) return [];
  const rows = failures
    .slice(0, SHOWN)
    .map(({ reason, attempts, jobs }) => [reason, number(`${attempts}`), number(`${jobs}`)]);
  return [
    element("h2", {}, "Attempts without a result"),
    table(["reason", "attempts", "jobs"], rows),
  ];
}

const cells = ({
  id,
  outcome,
  responseMs,
  delayMs,
  history,
}: Parameters<typeof fleetPage>[1][0]): readonly Cell[] => [
  ...[id, outcome, number(plain(responseMs)), number(plain(delayMs))],
  ...[number(percent(delayMs / responseMs)), linked(history)],
];

/** Text, or markup of a kind. */
type Cell = string | { readonly class: string; readonly content: string };

const number = (text: string): Cell => ({ class: "number", content: escaped(text) });

/** A history on a server has a page there. */
const linked = (history: string): Cell =>
  /^https?:\/\//.test(history)
    ? { class: "link", content: element("a", { href: history }, escaped(history)) }
    : history;

/** Numbers stand below the right end of their title. */
function table(titles: readonly string[], rows: readonly (readonly Cell[])[]): string {
  const heads = titles.map((title, n) => {
    const cell = rows[0]?.[n];
    const isNumber = typeof cell === "object" && cell.class === "number";
    return element("th", isNumber ? { class: "number" } : {}, escaped(title));
  });
  const content = rows.map((row) => element("tr", {}, ...row.map(cellText)));
  const whole = element("table", {}, element("tr", {}, ...heads), ...content);
  return element("div", { class: "scroll" }, whole);
}

const cellText = (cell: Cell): string =>
  typeof cell === "string"
    ? element("td", {}, escaped(cell))
    : element("td", { class: cell.class }, cell.content);
