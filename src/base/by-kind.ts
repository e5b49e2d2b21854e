interface Kinded {
  readonly kind: string;
}

/** Applies the entry for the value's kind; a kind without an entry does not compile. */
export function byKind<U extends Kinded, R>(
  entries: { readonly [K in U["kind"]]: (of: Extract<U, { readonly kind: K }>) => R },
  of: U,
): R {
  const kind: U["kind"] = of.kind;
  const entry = entries[kind] as (of: U) => R;
  return entry(of);
}
