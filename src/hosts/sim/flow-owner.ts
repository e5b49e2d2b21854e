import type { Flow } from "./fluid/fluid.ts";

/** Whoever has something flowing is told of its end and of its changes of rate. */
export interface FlowOwner {
  flowEnded(flow: Flow<FlowOwner>): void;
  rateChanged(): void;
}
