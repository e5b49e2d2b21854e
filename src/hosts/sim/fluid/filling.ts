import type { Flow } from "./flow-table.ts";
import type { Resource } from "./resource.ts";

/** Rates with a smaller relative difference count as equal. */
export const SAME_RATE = 1e-12;

/** An algorithm for max-min fair rates: all rise together, and a full resource stops its flows. */
export interface Filling {
  addResource(resource: Resource): void;
  /**
   * Computes the rates after changes of these resources or of their flows. Returns the flows whose
   * fair rate may have changed, valid until the next call.
   */
  fill(touched: readonly Resource[]): readonly Flow[];
}
