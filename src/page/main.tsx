import { effect } from "@preact/signals";
import { render } from "preact";
import { addressOf, goTo } from "./address.ts";
import { App } from "./app.tsx";
import { press } from "./keys.ts";
import { PageState } from "./state.ts";
import { unpack } from "./unpack.ts";

async function start(): Promise<void> {
  const place = document.getElementById("page");
  const data = document.getElementById("document");
  if (place === null || data === null) throw new Error("The page lacks its data.");
  const state = new PageState(await unpack(data.textContent ?? ""));
  data.remove();
  state.theme.value = matchMedia("(prefers-color-scheme: dark)").matches ? "dark" : "light";
  effect(() => {
    document.documentElement.dataset.theme = state.theme.value;
  });
  goTo(state, location.hash);
  place.textContent = "";
  render(<App state={state} />, place);
  listen(state);
  place.dataset.ready = String(Math.round(performance.now()));
}

const ADDRESS_AFTER_MS = 300;

function listen(state: PageState): void {
  document.addEventListener("keydown", (event) => {
    const target = event.target;
    const isTyping = target instanceof HTMLInputElement;
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    if (isTyping && event.key !== "Escape") return;
    if (event.key === "/") {
      event.preventDefault();
      document.getElementById("find")?.focus();
      return;
    }
    const timeline = document.querySelector("[data-timeline]");
    const isInTimeline =
      timeline === target || (state.attempt.value >= 0 && target === document.body);
    if (isTyping) document.getElementById("find")?.blur();
    if (press(state, event.key, isInTimeline)) event.preventDefault();
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

start().catch((error: unknown) => {
  const place = document.getElementById("page") ?? document.body;
  place.textContent = error instanceof Error ? error.message : String(error);
  place.className = "problem";
});
