/** A host and, where the log says, its rack. */
export interface Place {
  readonly host: string;
  readonly rack: string | undefined;
}

/** `/rack1/n3` is host `n3` on `rack1`; `n3` names no rack. Rumen keeps the log's backslashes. */
export function placeNamed(name: string): Place | undefined {
  const path = name.replaceAll("\\", "");
  const slash = path.lastIndexOf("/");
  const host = path.slice(slash + 1);
  return host === "" ? undefined : { host, rack: rackNamed(path.slice(0, Math.max(slash, 0))) };
}

/** A list of names, with commas between them. */
export const placesNamed = (names: string): readonly Place[] =>
  names.split(",").flatMap((name) => placeNamed(name) ?? []);

/** `/rack1` and `rack1` name the same rack. */
export function rackNamed(name: string): string | undefined {
  const rack = name.replaceAll("\\", "").replace(/^\/+/, "");
  return rack === "" ? undefined : rack;
}

/** The host in `tracker_n3:localhost/127.0.0.1:52187`. */
export function hostOfTracker(tracker: string): string | undefined {
  const host = tracker.replace(/^tracker_/, "").replace(/:.*$/, "");
  return placeNamed(host)?.host;
}
