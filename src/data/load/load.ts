import { AsyncLocalStorage } from "node:async_hooks";
import { type DefinitionListener, listenToDefinitions } from "../../job/definition.ts";

/**
 * A user's module that is being loaded for the job in it, in a task thread or by a master. The
 * module may be a program that calls `run` itself: no second run begins there.
 */
export interface Load {
  readonly defined: DefinitionListener;
  /** The module has called `run`, and may wait there for good. */
  ran(): void;
}

/** Does the work, and all that comes of it later, as part of the load. */
export function loading<T>(load: Load, work: () => T): T {
  const loads = allLoads();
  listenToDefinitions((definition, what) => loads.getStore()?.defined(definition, what));
  return loads.run(load, work);
}

/** The load to which the calling code belongs. */
export const currentLoad = (): Load | undefined => allLoads().getStore();

/** From now on no code of this thread may begin a run. */
export function refuseRuns(): void {
  Reflect.set(globalThis, TASK_THREAD, true);
}

/** Whether the calling code is that of a task. */
export const isInTask = (): boolean => Reflect.get(globalThis, TASK_THREAD) === true;

/** For each copy of this package in the thread: the user's modules may import another one. */
const LOADS = Symbol.for("broomwagon.loads");
const TASK_THREAD = Symbol.for("broomwagon.task-thread");

function allLoads(): AsyncLocalStorage<Load> {
  const known: AsyncLocalStorage<Load> | undefined = Reflect.get(globalThis, LOADS);
  if (known !== undefined) return known;
  const made = new AsyncLocalStorage<Load>();
  Reflect.set(globalThis, LOADS, made);
  return made;
}
