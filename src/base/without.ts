/** Each member of a union without some of its keys: `Without<ClusterEvent, "at">`. */
export type Without<U, K extends PropertyKey> = U extends unknown ? Omit<U, K> : never;

/** An event, or a fact, without its time, which the receiver adds. */
export type Timeless<E> = Without<E, "at">;
