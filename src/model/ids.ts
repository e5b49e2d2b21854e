/** A number or string that the compiler keeps apart from others of its kind. */
type Brand<T, Name extends string> = T & { readonly __brand: Name };

/**
 * Dense integers, assigned from 0 in the order in which the journal first mentions the things.
 * Names are kept beside the ids, and journals, scripts and screens print only names.
 */
export type JobId = Brand<number, "job">;
export type PhaseId = Brand<number, "phase">;
export type TaskId = Brand<number, "task">;
export type AttemptId = Brand<number, "attempt">;
export type NodeId = Brand<number, "node">;
export type RackId = Brand<number, "rack">;
export type RequestId = Brand<number, "request">;
/**
 * An index into the set-up's `slotKinds`: map and reduce in MRv1, one pool of containers in YARN.
 */
export type SlotKind = Brand<number, "slot-kind">;

/** Milliseconds since the host's start. Durations are plain numbers whose names end in Ms. */
export type Instant = Brand<number, "instant">;

export const jobId = (n: number): JobId => n as JobId;
export const phaseId = (n: number): PhaseId => n as PhaseId;
export const taskId = (n: number): TaskId => n as TaskId;
export const attemptId = (n: number): AttemptId => n as AttemptId;
export const nodeId = (n: number): NodeId => n as NodeId;
export const rackId = (n: number): RackId => n as RackId;
export const requestId = (n: number): RequestId => n as RequestId;
export const slotKind = (n: number): SlotKind => n as SlotKind;
export const instant = (ms: number): Instant => ms as Instant;

/**
 * The instant `ms` milliseconds after another. A wake and the test of whether the wake is due both
 * use this sum: a difference of instants may be smaller than `ms` by its last bit
 * when the sum has been reached, and a policy that tests the difference then asks for the same wake
 * again without end.
 */
export const after = (from: Instant, ms: number): Instant => instant(from + ms);
