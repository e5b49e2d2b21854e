import type { JsonObject } from "../../base/json.ts";
import type { SlotSpan } from "../../history/model.ts";
import { listIn, numberIn, objectIn, textIn } from "../json-values.ts";

/** An executor with its place in the trace; times in ms since 1970. */
export interface SlotHolder {
  readonly id: string;
  readonly host: string;
  /** Indexes into the trace's nodes and executors. */
  readonly node: number;
  readonly executor: number;
  readonly cores: number | undefined;
  readonly from: number;
  readonly until: number | undefined;
}

/** What a task of a resource profile asks for: `cpus`, `gpu` and others. */
type Asks = ReadonlyMap<string, number>;

/** An executor or a host was excluded from then on, or no longer. */
interface Exclusion {
  readonly whose: string;
  readonly isHost: boolean;
  readonly at: number;
  readonly isExcluded: boolean;
  /** Only tasks of this stage are kept away, until it ends. */
  readonly stage?: number;
}

const EXCLUSION = /\bSparkListener(Executor|Node)(Un)?(?:excluded|blacklisted)(ForStage)?$/i;

/**
 * What an executor can run at once: a task holds cores, and of other resources as much as its
 * profile asks for. An excluded executor runs nothing new.
 */
export class SparkSlots {
  /** By executor: the number of each resource's addresses, and its profile. */
  readonly #has = new Map<string, { readonly counts: Asks; readonly profile: number }>();
  readonly #profiles = new Map<number, { readonly task: Asks; readonly executor: Asks }>();
  readonly #exclusions: Exclusion[] = [];

  /** Takes an event; false if it says nothing about slots. */
  apply(kind: string, event: JsonObject): boolean {
    if (kind === "SparkListenerResourceProfileAdded") {
      this.#addProfile(event);
      return true;
    }
    const [, whose, un, forStage] = EXCLUSION.exec(kind) ?? [];
    if (whose === undefined) return false;
    const isHost = whose === "Node";
    const name = textIn(event, isHost ? "hostId" : "executorId");
    const at = numberIn(event, "time");
    const stage = forStage === undefined ? undefined : numberIn(event, "stageId");
    if (name !== undefined && at !== undefined) {
      const isExcluded = un === undefined;
      const ofStage = stage !== undefined && { stage };
      this.#exclusions.push({ whose: name, isHost, at, isExcluded, ...ofStage });
    }
    return true;
  }

  addExecutor(id: string, event: JsonObject): void {
    const info = objectIn(event, "Executor Info");
    if (info === undefined) return;
    const counts = new Map<string, number>();
    const resources = objectIn(info, "Resources") ?? {};
    for (const name of Object.keys(resources)) {
      const addresses = listIn(objectIn(resources, name) ?? {}, "addresses");
      if (addresses.length > 0) counts.set(name, addresses.length);
    }
    this.#has.set(id, { counts, profile: numberIn(info, "Resource Profile Id") ?? 0 });
  }

  /** The slots of these executors. `endOf`: when a stage ended, if it did. */
  of(
    holders: readonly SlotHolder[],
    properties: ReadonlyMap<string, string>,
    originMs: number,
    endOf: (stage: number) => number | undefined = () => undefined,
  ): readonly SlotSpan[] {
    return holders.flatMap((holder) => {
      const count = this.#count(holder, properties);
      const profile = this.#has.get(holder.id)?.profile ?? 0;
      return this.#times(holder, endOf).flatMap(({ from, until }) => {
        const span = {
          from: from - originMs,
          ...(until !== undefined && { until: until - originMs }),
        };
        const { node, executor } = holder;
        const slot: SlotSpan = {
          ...{ kind: "stage", node, executor, ...span },
          ...(profile > 0 && { profile }),
        };
        return Array.from({ length: count }, () => slot);
      });
    });
  }

  #addProfile(event: JsonObject): void {
    const id = numberIn(event, "Resource Profile Id");
    if (id === undefined) return;
    const task = amountsIn(objectIn(event, "Task Resource Requests"));
    const executor = amountsIn(objectIn(event, "Executor Resource Requests"));
    this.#profiles.set(id, { task, executor });
  }

  #count({ id, cores = 0 }: SlotHolder, properties: ReadonlyMap<string, string>): number {
    const { counts, profile } = this.#has.get(id) ?? { counts: new Map(), profile: 0 };
    const known = this.#profiles.get(profile);
    const asks = new Map([
      ["cpus", Number(properties.get("spark.task.cpus") ?? "1")],
      ...(profile === 0 ? askedBy("task", properties) : []),
      ...(known?.task ?? []),
    ]);
    const offers = new Map([
      ...(profile === 0 ? askedBy("executor", properties) : []),
      ...(known?.executor ?? []),
      ...counts,
      ["cpus", cores] as const,
    ]);
    return [...asks].reduce((least, [name, amount]) => {
      const has = offers.get(name);
      return has === undefined ? least : Math.min(least, tasksIn(has, amount));
      // A task holds a core at least, whatever a damaged setting says.
    }, cores);
  }

  /** When the executor was there and not excluded. */
  #times(
    { id, host, from, until }: SlotHolder,
    endOf: (stage: number) => number | undefined,
  ): readonly Pick<SlotHolder, "from" | "until">[] {
    const own = this.#exclusions
      .filter(({ whose, isHost, at }) => whose === (isHost ? host : id) && at >= from)
      .flatMap((one): readonly Exclusion[] => {
        const at = one.stage === undefined ? undefined : endOf(one.stage);
        return at === undefined ? [one] : [one, { ...one, at, isExcluded: false }];
      })
      .sort((a, b) => a.at - b.at);
    const times: Pick<SlotHolder, "from" | "until">[] = [];
    let since: number | undefined = from;
    for (const { at, isExcluded } of own) {
      if (until !== undefined && at >= until) break;
      if (isExcluded && since !== undefined) {
        if (at > since) times.push({ from: since, until: at });
        since = undefined;
      } else if (!isExcluded) since ??= at;
    }
    if (since !== undefined) times.push({ from: since, until });
    return times;
  }
}

/** How many tasks share what there is: several a GPU if they ask for a part of one. */
const tasksIn = (has: number, amount: number): number => {
  if (!(amount > 0)) return Number.POSITIVE_INFINITY;
  return amount >= 1 ? Math.floor(has / amount) : has * Math.floor(1 / amount);
};

function amountsIn(requests: JsonObject | undefined): Asks {
  const found = new Map<string, number>();
  for (const name of Object.keys(requests ?? {})) {
    const amount = numberIn(objectIn(requests ?? {}, name) ?? {}, "Amount");
    if (amount !== undefined) found.set(name, amount);
  }
  return found;
}

/** `spark.task.resource.gpu.amount` and its like. */
function askedBy(
  whose: "task" | "executor",
  properties: ReadonlyMap<string, string>,
): readonly (readonly [string, number])[] {
  const pattern = new RegExp(`^spark\\.${whose}\\.resource\\.([\\w-]+)\\.amount$`);
  return [...properties].flatMap(([name, value]) => {
    const [, resource] = pattern.exec(name) ?? [];
    const amount = Number(value);
    return resource === undefined || !(amount > 0) ? [] : [[resource, amount] as const];
  });
}
