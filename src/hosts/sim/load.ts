import { assert } from "../../base/assert.ts";
import type { FlowOwner } from "./flow-owner.ts";
import type { Flow, Fluid, Resource } from "./fluid/fluid.ts";
import type { Machine } from "./machine.ts";
import type { PageCache } from "./page-cache.ts";

/** Other programs on a node, which never end by themselves. */
export class RunningLoad implements FlowOwner {
  readonly #fluid: Fluid<FlowOwner>;
  readonly #processes: readonly Flow[];
  readonly #writers: readonly Flow[];
  readonly #cache: PageCache | undefined;

  constructor(
    fluid: Fluid<FlowOwner>,
    on: { readonly machine: Machine; readonly slowness: number; readonly now: number },
    what: { readonly processes: number; readonly writers: number },
  ) {
    const { machine, now } = on;
    const start = (count: number, uses: readonly Resource[], bound?: number) =>
      Array.from({ length: count }, () =>
        fluid.start(now, {
          tag: this,
          uses,
          size: Number.POSITIVE_INFINITY,
          ...(bound === undefined ? {} : { bound }),
        }),
      );
    this.#fluid = fluid;
    const { cores, disk, gate, host } = machine;
    this.#processes = start(what.processes, [cores, host.cores, gate], 1 / on.slowness);
    this.#writers = start(what.writers, [disk, host.disk, gate]);
    this.#cache = host.cache;
    this.#cache?.crowd(what.writers);
  }

  /** A process takes one core, which counts as less than one core of factor 1 on a slow node. */
  speedChanged(slowness: number): void {
    for (const flow of this.#processes) this.#fluid.setBound(flow, 1 / slowness);
  }

  stop(now: number): void {
    for (const flow of [...this.#processes, ...this.#writers]) this.#fluid.stop(now, flow);
    if (this.#writers.length > 0) this.#cache?.uncrowd(this.#writers.length, now);
  }

  flowEnded(): void {
    assert(false, "a load has no end of its own");
  }

  rateChanged(): void {}
}
