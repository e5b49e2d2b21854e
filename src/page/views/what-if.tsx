import { Forest } from "../forest.tsx";
import type { PageState } from "../state.ts";
import { Try } from "../try.tsx";

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
