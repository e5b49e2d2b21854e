import {
  atLeast0,
  either,
  isObject,
  kind,
  list,
  object,
  positive,
  required,
  type Shape,
  standard,
  variants,
} from "../../base/shape.ts";
import type { Chance } from "./scenario.ts";

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

/** A number of 0 or more, or how one is drawn. */
export const chance: Shape<Chance> = either(isObject, drawn, atLeast0);

/** For what nothing may be divided by: a factor. */
export const positiveChance: Shape<Chance> = either(isObject, drawn, positive);
