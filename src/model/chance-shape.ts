import type { Chance } from "../base/chance.ts";
import {
  atLeast0,
  either,
  isObject,
  kind,
  list,
  mapped,
  number,
  object,
  positive,
  required,
  type Shape,
  standard,
  variants,
} from "../base/shape.ts";

type Drawn<K extends string> = Extract<Chance, { readonly kind: K }>;

const drawn = variants<Exclude<Chance, number>>("how it is drawn", {
  uniform: object<Drawn<"uniform">>("a uniform distribution", {
    kind: kind("uniform"),
    from: required(atLeast0),
    to: required(atLeast0),
  }),
  exponential: object<Drawn<"exponential">>("an exponential distribution", {
    kind: kind("exponential"),
    mean: required(positive),
  }),
  lognormal: object<Drawn<"lognormal">>("a lognormal distribution", {
    kind: kind("lognormal"),
    median: required(positive),
    sigma: required(atLeast0),
  }),
  pareto: object<Drawn<"pareto">>("a Pareto distribution", {
    kind: kind("pareto"),
    minimum: required(positive),
    shape: required(positive),
    maximum: standard(positive, Number.POSITIVE_INFINITY),
  }),
  choice: object<Drawn<"choice">>("a choice", {
    kind: kind("choice"),
    values: required(list(atLeast0, { min: 1 })),
  }),
});

const drawnOr = (plain: Shape<number>): Shape<Chance> =>
  either((json) => !isObject(json), plain, drawn);

/** A number of at least 0, or the distribution from which it is drawn. */
export const chance: Shape<Chance> = drawnOr(atLeast0);

/** A number above 0, for divisors (factors) and for times that must not be 0. */
export const positiveChance: Shape<Chance> = mapped(drawnOr(positive), (read: Chance, place) => {
  if (typeof read === "number") return read;
  if (read.kind === "uniform" && read.from === 0) place.key("from").refuse("more than 0", 0);
  if (read.kind === "choice" && read.values.includes(0)) {
    place.key("values").refuse("numbers above 0", 0);
  }
  return read;
});

/** A share, 0 to 1; draws outside that range are clamped. */
export const shareChance: Shape<Chance> = drawnOr(number({ min: 0, max: 1 }));
