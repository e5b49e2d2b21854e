import { ROWS_BY } from "./arranged.ts";
import type { PageState } from "./state.ts";

/** The selection as the part of an address behind `#`: names, not row numbers. */
export function addressOf(state: PageState): string {
  const { run } = state;
  const { from, to, top, bottom } = state.window.value;
  const parts: string[] = [];
  const whole = state.whole;
  if (from !== whole.from || to !== whole.to) parts.push(`t=${tidy(from)}-${tidy(to)}`);
  if (top !== whole.top || bottom !== whole.bottom) {
    parts.push(`rows=${tidy(1_000 * top)}-${tidy(1_000 * bottom)}`);
  }
  if (run.rows.by !== "slot") parts.push(`by=${run.rows.by}`);
  const i = state.attempt.value;
  if (i >= 0) parts.push(`sel=${encodeURIComponent(run.nameOf(i))}`);
  if (state.decision.value >= 0) parts.push(`decision=${state.decision.value + 1}`);
  const pinned = state.pinned.value;
  if (pinned !== undefined) parts.push(`at=${tidy(pinned)}`);
  const { lateAbove } = state.changed.value;
  if (lateAbove !== undefined) parts.push(`x=${lateAbove}`);
  return parts.join("&");
}

/** Applies what the address names; unknown names are ignored. */
export function goTo(state: PageState, address: string): void {
  const found = new Map(
    address
      .replace(/^#/, "")
      .split("&")
      .map((part): [string, string] => {
        const [name = "", value = ""] = part.split("=");
        return [name, value];
      }),
  );
  const lateAbove = Number(found.get("x"));
  if (lateAbove > 0) state.setLimits({ lateAbove });
  const by = ROWS_BY.find((one) => one === found.get("by"));
  if (by !== undefined) state.arrange(by);
  const range = (name: string): readonly number[] =>
    (found.get(name) ?? "").split("-").map((text) => (text === "" ? Number.NaN : Number(text)));
  const [from = Number.NaN, to = Number.NaN] = range("t");
  const [top = Number.NaN, bottom = Number.NaN] = range("rows");
  const window = { ...state.window.value };
  if (to > from) Object.assign(window, { from: 1_000 * from, to: 1_000 * to });
  if (bottom > top) Object.assign(window, { top, bottom });
  state.window.value = window;
  const [decision = Number.NaN] = range("decision");
  if (decision > 0) state.decide(decision - 1);
  const selected = state.run.find(decoded(found.get("sel") ?? ""));
  if (selected >= 0 && !(decision > 0)) state.select(selected);
  const [at = Number.NaN] = range("at");
  if (!Number.isNaN(at)) state.pinned.value = 1_000 * at;
}

const tidy = (ms: number): string => String(Math.round(ms) / 1_000);

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return "";
  }
}
