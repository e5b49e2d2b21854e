import { effect } from "@preact/signals";
import { render } from "preact";
import type { PageDocument } from "../report/page/document.ts";
import { addressOf, goTo } from "./address.ts";
import { App, type LiveViews } from "./app.tsx";
import { press } from "./keys.ts";
import type { RunOptions } from "./run.ts";
import { PageState } from "./state.ts";
import { PageWorker, type WorkerSource } from "./wire/page-worker.ts";

/** What only a server's page has. */
interface LiveParts extends LiveViews {
  readonly barsOf: RunOptions["barsOf"];
}

/** Puts a document onto the page. `live`: the views of a live run. */
export function show(shown: PageDocument, live?: LiveParts): PageState {
  const place = document.getElementById("page");
  if (place === null) throw new Error("The page lacks its place.");
  const state = new PageState(shown, live?.barsOf);
  state.theme.value = matchMedia("(prefers-color-scheme: dark)").matches ? "dark" : "light";
  effect(() => {
    document.documentElement.dataset.theme = state.theme.value;
    document.title = `${state.run.head.title.slice(0, 120)} · Broomwagon`;
  });
  goTo(state, location.hash);
  place.textContent = "";
  render(<App state={state} live={live} />, place);
  listen(state);
  place.dataset.ready = String(Math.round(performance.now()));
  return state;
}

const ADDRESS_AFTER_MS = 300;

function listen(state: PageState): void {
  document.addEventListener("keydown", (event) => {
    const { target } = event;
    const isTyping = target instanceof HTMLInputElement;
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    if (isTyping && event.key !== "Escape") return;
    if (isTyping) target.blur();
    if (event.key === "Escape") closeMenus(null);
    if (event.key === "/") {
      event.preventDefault();
      document.getElementById("find")?.focus();
      return;
    }
    const isInTimeline = document.querySelector("[data-timeline]") === target;
    if (press(state, event.key, isInTimeline)) event.preventDefault();
    // What these keys select is scrolled into view.
    if (".,lL".includes(event.key)) requestAnimationFrame(showInspector);
  });
  for (const type of ["pointerdown", "focusin"]) {
    document.addEventListener(type, ({ target }) => closeMenus(target));
  }
  // A link was pasted into the open page: everything that it does not name is reset.
  // The address itself may be the page's own again, if the page wrote it just then.
  addEventListener("hashchange", ({ newURL }) => {
    state.clear();
    state.setLimits({});
    state.arrange("slot");
    state.window.value = state.whole;
    goTo(state, new URL(newURL).hash);
  });
  let waits: ReturnType<typeof setTimeout> | undefined;
  effect(() => {
    const address = addressOf(state);
    clearTimeout(waits);
    waits = setTimeout(() => {
      history.replaceState(null, "", address === "" ? location.pathname : `#${address}`);
    }, ADDRESS_AFTER_MS);
  });
}

/** Closes all menus but the one that holds the touched element. */
function closeMenus(touched: EventTarget | null): void {
  for (const menu of document.querySelectorAll("details[name]")) {
    if (!(touched instanceof Node && menu.contains(touched))) menu.removeAttribute("open");
  }
}

const showInspector = (): void =>
  document.querySelector("aside")?.scrollIntoView({ block: "nearest" });

export function useWorker(state: PageState, source: WorkerSource): void {
  const worker = new PageWorker(source, () => state.given);
  state.worker.value = worker;
  effect(() => state.learn(worker.diagnosed.value));
  // The address may contain a limit.
  state.diagnoseChanged();
}

/** Replaces the page by a sentence that says what went wrong. */
export function fail(error: unknown): void {
  const place = document.getElementById("page") ?? document.body;
  place.textContent = error instanceof Error ? error.message : String(error);
  place.className = "problem";
}
