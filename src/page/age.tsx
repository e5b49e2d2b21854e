import { useSignal } from "@preact/signals";
import { useEffect } from "preact/hooks";
import type { PageState } from "./state.ts";

const OLD_S = 2;

/** Says that the server is gone, and how old what is seen is; nothing while it answers. */
export function Age({ state }: { readonly state: PageState }) {
  const now = useSignal(Date.now());
  const since = state.lostAt.value;
  useEffect(() => {
    if (since === undefined) return undefined;
    const clock = setInterval(() => {
      now.value = Date.now();
    }, 1_000);
    return () => clearInterval(clock);
  }, [since]);
  if (!state.run.head.isLive) return null;
  const seconds = since === undefined ? 0 : Math.round((now.value - since) / 1_000);
  return (
    <span class={seconds >= OLD_S ? "late" : "told"} role="status">
      {seconds >= OLD_S ? `not connected for ${seconds} s; this is ${seconds} s old` : "live"}
    </span>
  );
}
