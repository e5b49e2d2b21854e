/** The nets in which a mutant may be caught, each on its own. */
export const NETS = ["letter", "unit", "golden"] as const;
export type Net = (typeof NETS)[number];

export interface Verdict {
  /** "not reached": no world and no test of the net runs through the changed place. */
  readonly how: "killed" | "survived" | "not reached";
  /** The world or the test that killed it, or how much it survived. */
  readonly by?: string;
}
