import { useSignal } from "@preact/signals";
import { Forest } from "../forest.tsx";
import type { PageState } from "../state.ts";
import type { Offered } from "../worker/messages.ts";
import type { Works } from "../works.ts";

/** What other policies would have made of the job, with the gate and the brackets. */
export function WhatIfView({ state }: { readonly state: PageState }) {
  const { whatif } = state.run.head;
  const worker = state.worker.value;
  const simulator = worker?.simulates === true ? worker : undefined;
  return (
    <div>
      {whatif === undefined ? null : <Forest whatif={whatif} />}
      {simulator === undefined ? null : <Try simulator={simulator} />}
      {whatif === undefined && simulator === undefined ? <Nothing state={state} /> : null}
    </div>
  );
}

function Nothing({ state }: { readonly state: PageState }) {
  const { isLive, why } = state.run.head;
  if (isLive) return <p class="faint">The simulator can run the job again when it is over.</p>;
  if (why === undefined) return <p class="faint">A job is simulated once it is diagnosed.</p>;
  return (
    <p class="faint">
      This job is too large for the simulator in a page:{" "}
      <code>broomwagon report … --whatif late,yarn,none</code>
    </p>
  );
}

const SEEDS = 20;

/** Runs the job again in this page, under a policy and settings of the reader's choice. */
function Try({ simulator }: { readonly simulator: Works }) {
  const policy = useSignal("");
  const set = useSignal<Readonly<Record<string, string>>>({});
  const offered = simulator.offered.value;
  const chosen = offered.find((one) => one.policy === policy.value) ?? offered[0];
  if (chosen === undefined) {
    return (
      <p>
        <button type="button" id="simulate" onClick={() => simulator.start()}>
          Run the job again in this page …
        </button>{" "}
        <span class="late">{simulator.failure.value}</span>
      </p>
    );
  }
  const progress = simulator.progress.value;
  const answer = simulator.answer.value;
  const run = (): void => {
    const sets = Object.entries(set.value).map(([name, value]) => `speculation.${name}=${value}`);
    simulator.run(chosen.policy, sets, SEEDS);
  };
  return (
    <div>
      <fieldset class="row" aria-label="policy and settings">
        <label>
          policy{" "}
          <select
            value={chosen.policy}
            onChange={(event) => {
              policy.value = event.currentTarget.value;
              set.value = {};
            }}
          >
            {offered.map((one) => (
              <option key={one.policy} value={one.policy}>
                {one.told}
              </option>
            ))}
          </select>
        </label>
        <Settings chosen={chosen} set={set.value} change={(next) => (set.value = next)} />
        <button type="button" onClick={run} disabled={progress !== undefined}>
          run {SEEDS} pairs
        </button>
        {progress === undefined ? null : (
          <span role="status">
            {progress.done} of about {progress.all} runs
            <progress value={progress.done} max={progress.all} aria-label="runs" />
          </span>
        )}
      </fieldset>
      {simulator.failure.value === "" ? null : <p class="late">{simulator.failure.value}</p>}
      {answer === undefined ? null : <Forest whatif={answer} />}
    </div>
  );
}

interface SettingsProps {
  readonly chosen: Offered;
  readonly set: Readonly<Record<string, string>>;
  readonly change: (next: Readonly<Record<string, string>>) => void;
}

/** The numbers that the policy's speculation takes. */
function Settings({ chosen, set, change }: SettingsProps) {
  return (
    <>
      {chosen.params.map(({ name, value, about }) => (
        <label key={`${chosen.policy} ${name}`} title={about}>
          {name}{" "}
          <input
            type="text"
            inputMode="decimal"
            value={set[name] ?? String(value)}
            onInput={(event) => {
              const text = event.currentTarget.value;
              const { [name]: _, ...others } = set;
              change(text === String(value) ? others : { ...others, [name]: text });
            }}
          />
        </label>
      ))}
    </>
  );
}
