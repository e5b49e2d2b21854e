import {
  atLeast0,
  kind,
  object,
  optional,
  positive,
  required,
  type Shape,
  text,
  variants,
} from "../../base/shape.ts";
import type { Fault } from "../../model/fault.ts";

type Kind<K extends Fault["kind"]> = Extract<Fault, { readonly kind: K }>;

const WHERE = { at: required(atLeast0), node: required(text) };

export const fault: Shape<Fault> = variants<Fault>("a fault", {
  slow: object<Kind<"slow">>("a slow-down", {
    kind: kind("slow"),
    ...WHERE,
    factor: required(positive),
  }),
  pause: object<Kind<"pause">>("a pause", {
    kind: kind("pause"),
    ...WHERE,
    forMs: required(positive),
  }),
  kill: object<Kind<"kill">>("a node's death", {
    kind: kind("kill"),
    ...WHERE,
    backAfterMs: optional(positive),
  }),
  stress: object<Kind<"stress">>("stress now and then", {
    kind: kind("stress"),
    ...WHERE,
    factor: required(positive),
    onMs: required(positive),
    offMs: required(positive),
    until: optional(positive),
  }),
  "lose-outputs": object<Kind<"lose-outputs">>("a loss of outputs", {
    kind: kind("lose-outputs"),
    ...WHERE,
  }),
  "fill-disk": object<Kind<"fill-disk">>("a full disk", {
    kind: kind("fill-disk"),
    ...WHERE,
    forMs: required(positive),
  }),
});
