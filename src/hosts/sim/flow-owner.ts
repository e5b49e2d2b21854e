import type { Flow } from "./fluid/fluid.ts";

/** The owner of a flow, which learns of the flow's end and of changes of its rate. */
export interface FlowOwner {
  flowEnded(flow: Flow): void;
  rateChanged(): void;
}
