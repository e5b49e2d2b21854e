import type { FluidFlow } from "./fluid/fluid.ts";

/** The owner of a flow, which is told of the flow's end and changes of rate. */
export interface FlowOwner {
  flowEnded(flow: FluidFlow<FlowOwner>): void;
  rateChanged(): void;
}
