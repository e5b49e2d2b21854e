import { CAUSE_NAMES, CAUSES } from "../diagnose/cause.ts";
import { percent, plain, span } from "../diagnose/figures.ts";
import { draw } from "../report/chart/draw.ts";
import type { Bars } from "../report/chart/drawing.ts";
import { STYLE } from "../report/chart/style.ts";
import { element, escaped } from "../report/markup.ts";
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
      ["job", "ended", "took s", "lost s", "share", "history"],
      jobs.slice(0, SHOWN).map(cells),
    ),
  ];
  const head = [
    '<meta charset="utf-8">',
    '<meta name="viewport" content="width=device-width, initial-scale=1">',
    element("title", {}, "Broomwagon: many jobs"),
    element("style", {}, STYLE),
  ];
  return [
    "<!doctype html>",
    `<html lang="en"><head>${head.join("")}</head>`,
    `<body><main>${body.join("\n")}</main></body></html>`,
    "",
  ].join("\n");
}

const figure = (title: string, drawing: Bars): string =>
  element("section", {}, element("h2", {}, title), element("article", {}, draw(drawing)));

const NAMED = 5;

/** The largest causes of the whole time, and the others together. */
function byDay(days: Fleet["days"]): Bars {
  const total = new Map(CAUSES.map((cause) => [cause, 0]));
  for (const { cause, ms } of days.flatMap(({ causes }) => causes)) {
    total.set(cause, (total.get(cause) ?? 0) + Math.max(ms, 0));
  }
  const largest = [...total]
    .filter(([, ms]) => ms > 0)
    .sort((a, b) => Math.sign(b[1] - a[1]))
    .slice(0, NAMED);
  return {
    ...{ kind: "bars", figure: "days", title: "Response time lost by day of submission (UTC)" },
    y: { title: "lost, s" },
    groups: days.map(({ day, causes }) => ({
      label: day.slice(5),
      bars: largest.map(([cause]) => ({
        series: CAUSE_NAMES[cause],
        value: Math.max(0, causes.find((row) => row.cause === cause)?.ms ?? 0) / 1_000,
      })),
    })),
  };
}

const byCause = ({ causes }: Span): Bars => ({
  ...{ kind: "bars", figure: "causes", title: "Response time lost to each cause, all jobs" },
  y: { title: "lost, s" },
  groups: causes
    .filter(({ ms }) => ms > 0)
    .map(({ cause, ms }) => ({
      label: CAUSE_NAMES[cause],
      bars: [{ series: "all jobs", value: ms / 1_000 }],
    })),
});

function nodesSection({ nodes }: Fleet): readonly string[] {
  const slow = nodes.filter(({ isSlow, slowIn }) => isSlow || slowIn > 1);
  if (slow.length === 0) return [];
  const rows = slow.map(({ node, jobs, hurt, slowIn, factor, delayMs }) => [
    ...[node, `${Math.max(hurt.length, slowIn)} of ${jobs}`, factor.toFixed(2), plain(delayMs)],
    hurt.join(", "),
  ]);
  const titles = ["node", "slow in jobs", "times slower", "cost s", "which"];
  return [element("h2", {}, "Slow nodes"), table(titles, rows)];
}

function failuresSection({ failures }: Fleet): readonly string[] {
  if (failures.length === 0) return [];
  const rows = failures
    .slice(0, SHOWN)
    .map(({ reason, attempts, jobs }) => [reason, String(attempts), String(jobs)]);
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
}: Parameters<typeof fleetPage>[1][0]) => [
  ...[id, outcome, span(responseMs), plain(delayMs), percent(delayMs / responseMs), history],
];

function table(titles: readonly string[], rows: readonly (readonly string[])[]): string {
  const row = (tag: string, texts: readonly string[]): string =>
    element("tr", {}, ...texts.map((text) => element(tag, {}, escaped(text))));
  const content = rows.map((texts) => row("td", texts));
  const whole = element("table", {}, row("th", titles), ...content);
  return element("div", { class: "scroll" }, whole);
}
