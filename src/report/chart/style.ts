import { SERIES_COLORS } from "../swimlanes/palette.ts";

const series = SERIES_COLORS.map((color, i) => `--c${i}: ${color};`).join(" ");

const COLOURS = `
:root {
  color-scheme: light dark;
  --back: #f3f5f7; --card: #ffffff; --ink: #17202b; --faint: #566270; --line: #dfe4e9;
  --good: #1c7040; --near: #8a6d00; --bad: #b3261e;
  ${series}
}
@media (prefers-color-scheme: dark) {
  :root {
    --back: #13171c; --card: #1b2027; --ink: #e7eaee; --faint: #a3adb9; --line: #323a45;
    --good: #79cf9b; --near: #e0c060; --bad: #ff8f85;
  }
}
`;

const PICTURES = `svg text { fill: var(--ink); font-size: 12px; }
svg .tick { fill: var(--faint); }
svg .title { font-size: 12px; }
svg .grid { stroke: var(--line); }
svg .axis { stroke: var(--faint); }
.s0 { --s: var(--c0); } .s1 { --s: var(--c1); } .s2 { --s: var(--c2); }
.s3 { --s: var(--c3); } .s4 { --s: var(--c4); } .s5 { --s: var(--c5); }
svg rect, svg circle { fill: var(--s); }
svg rect.again { fill-opacity: 0.5; }
svg .line { fill: none; stroke: var(--s); stroke-width: 2; }
svg .line.again { stroke-dasharray: 5 4; }
svg .whisker { stroke: var(--ink); stroke-width: 1.3; fill: none; }
svg .published { fill: var(--card); stroke: var(--ink); stroke-width: 1.6; }
`;

/** The style of a picture that is a file of its own. */
export const PICTURE_STYLE = `${COLOURS}${PICTURES}svg .ground { fill: var(--card); }
svg text { font-family: system-ui, -apple-system, "Segoe UI", sans-serif; }
`;

/**
 * Light or dark as the reader's system asks; the grounds are those of a job's page. Colours never
 * stand alone: every colour has words.
 */
export const STYLE = `${COLOURS}* { box-sizing: border-box; }
body { margin: 0; background: var(--back); color: var(--ink);
  font: 15px/1.5 system-ui, -apple-system, "Segoe UI", sans-serif; }
main { max-width: 1180px; margin: 0 auto; padding: 32px 24px 96px; }
h1 { font-size: 28px; margin: 0 0 4px; letter-spacing: -0.01em; }
h2 { font-size: 20px; margin: 56px 0 8px; padding-top: 16px; border-top: 2px solid var(--ink); }
h3 { font-size: 16px; margin: 0 0 8px; }
.score { font-size: 18px; margin: 0; }
.how, .note, figcaption { color: var(--faint); font-size: 13px; }
.how { margin: 2px 0 20px; }
.note { margin: 10px 0 0; max-width: 96ch; }
article { background: var(--card); border: 1px solid var(--line); border-radius: 8px;
  padding: 18px 20px; margin: 18px 0; }
table { border-collapse: collapse; width: 100%; font-size: 13.5px; }
th { text-align: left; font-weight: 600; color: var(--faint); border-bottom: 1px solid var(--line);
  padding: 4px 12px 4px 0; white-space: nowrap; }
td { padding: 4px 12px 4px 0; border-bottom: 1px solid var(--line); vertical-align: top; }
tr:last-child td { border-bottom: 0; }
.number { font-variant-numeric: tabular-nums; white-space: nowrap; text-align: right; }
td { min-width: 9ch; }
td.number, .standing td { min-width: 0; }
.words { max-width: 34ch; color: var(--faint); }
.scroll { overflow-x: auto; }
a { color: inherit; }
.standing { width: auto; font-variant-numeric: tabular-nums; }
.standing th, .standing td { padding-right: 20px; white-space: nowrap; }
.standing .groups th { border-bottom: 0; padding-bottom: 0; color: var(--ink); }
.standing tr:last-child td { font-weight: 600; }
.strip div { display: flex; gap: 2px; align-items: center;
  width: clamp(110px, 22vw, 240px); height: 22px; }
.strip i { height: 10px; border-radius: 2px; background: currentColor; }
.key { display: flex; flex-wrap: wrap; gap: 2px 16px; font-size: 12.5px; margin: 10px 0 2px; }
.key i { display: inline-block; width: 11px; height: 11px; margin-right: 6px; border-radius: 2px;
  background: currentColor; }
.key span { white-space: nowrap; }
details { background: var(--card); border: 1px solid var(--line); border-radius: 8px;
  padding: 10px 20px; margin: 10px 0; }
summary { cursor: pointer; font-weight: 600; }
details .how { margin: 6px 0 10px; }
nav { display: flex; flex-wrap: wrap; gap: 4px 14px; font-size: 13px; margin: 0 0 4px; }
nav a { color: var(--faint); }
.holds, .within { color: var(--good); }
.same-direction { color: var(--near); }
.undecided, .shown { color: var(--faint); }
.contradicted { color: var(--bad); }
.verdict { font-weight: 600; white-space: nowrap; }
.shown.verdict { font-weight: 400; }
@media (max-width: 600px) {
  main { padding: 20px 14px 64px; } article, details { padding: 12px 14px; }
  h1 { font-size: 23px; } .legend { padding-left: 0; }
  table { font-size: 12.5px; } th, td { padding-right: 8px; } td { min-width: 8ch; } }
.fitted, .source { color: var(--faint); }
td.short { min-width: 0; white-space: nowrap; }
ul.note { padding-left: 18px; }
.pictures { display: grid; grid-template-columns: repeat(auto-fit, minmax(min(100%, 480px), 1fr));
  gap: 8px 24px; }
figure { margin: 0 0 12px; max-width: 640px; }
/* Narrower, its labels could not be read: its box scrolls. */
svg { display: block; width: 100%; min-width: 460px; height: auto; }
${PICTURES}.legend { margin: 0 0 2px; font-size: 12.5px; display: flex; flex-wrap: wrap;
  gap: 2px 16px; padding-left: 64px; }
.legend i { display: inline-block; width: 11px; height: 11px; margin-right: 6px;
  background: var(--s); border-radius: 2px; }
.legend i.again { opacity: 0.5; }
.legend i.diamond { background: none; border: 1.6px solid var(--ink); border-radius: 0; width: 9px;
  height: 9px; transform: rotate(45deg); }
`;
