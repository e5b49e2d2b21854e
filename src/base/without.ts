/** Each member of a union without some of its keys: `Without<ClusterEvent, "at">`. */
export type Without<U, K extends PropertyKey> = U extends unknown ? Omit<U, K> : never;

/** An event, or a fact, whose time someone else adds. */
export type Timeless<E> = Without<E, "at">;
