import { effect } from "@preact/signals";
import { render } from "preact";
import type { PageDocument } from "../report/page/document.ts";
import { addressOf, goTo } from "./address.ts";
import { App } from "./app.tsx";
import { press } from "./keys.ts";
import { PageState } from "./state.ts";
import { connect, takeKey } from "./wire/connect.ts";
import { Simulator, type SimulatorSource } from "./wire/simulator.ts";
import { bytesOf, unpack } from "./wire/unpack.ts";

async function start(): Promise<void> {
  const data = document.getElementById("document");
  if (data !== null) {
    const state = show(await unpack(data.textContent ?? ""));
    data.remove();
    const carried = (id: string) => document.getElementById(id)?.textContent ?? "";
    if (carried("job") !== "") {
      useSimulator(state, {
        script: async () => bytesOf(carried("simulator")),
        job: async () => bytesOf(carried("job")),
      });
    }
    return;
  }
  const key = takeKey();
  let state: PageState | undefined;
  await connect(key, {
    page(grown) {
      if (state === undefined) state = show(grown);
      else state.renew(grown);
      if (grown.head.isLive) state.simulator.value = undefined;
    },
    study(study) {
      if (state !== undefined) state.study.value = study;
    },
    simulator(source) {
      if (state !== undefined) useSimulator(state, source);
    },
    link(isUp) {
      if (state !== undefined) state.lostAt.value = isUp ? undefined : Date.now();
    },
  });
}

function useSimulator(state: PageState, source: SimulatorSource): void {
  state.simulator.value = new Simulator(source, state.run.head.format);
}

function show(shown: PageDocument): PageState {
  const place = document.getElementById("page");
  if (place === null) throw new Error("The page lacks its place.");
  const state = new PageState(shown);
  state.theme.value = matchMedia("(prefers-color-scheme: dark)").matches ? "dark" : "light";
  effect(() => {
    document.documentElement.dataset.theme = state.theme.value;
    document.title = `${state.run.head.title.slice(0, 120)} · Broomwagon`;
  });
  goTo(state, location.hash);
  place.textContent = "";
  render(<App state={state} />, place);
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
    if (event.key === "/") {
      event.preventDefault();
      document.getElementById("find")?.focus();
      return;
    }
    const isInTimeline = document.querySelector("[data-timeline]") === target;
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
