import {
  type Field,
  kind,
  mapped,
  object,
  oneOf,
  optional,
  positive,
  required,
  type Shape,
  text,
  variants,
  whole,
} from "../base/shape.ts";
import { chance, positiveChance, shareChance } from "./chance-shape.ts";
import type {
  Congestion,
  Evict,
  Fault,
  FillDisk,
  Kill,
  Load,
  LoseOutputs,
  Pause,
  Slow,
  Stress,
} from "./fault.ts";

const AT = { at: required(chance) };
const WHERE = { ...AT, node: required(text), pick: optional(whole({ min: 1 })) };
const AGAIN = { everyMs: optional(positiveChance), until: optional(positive) };
const FOR = { forMs: optional(positiveChance) };
const kindOf = <K extends Fault["kind"]>(name: K): { kind: Field<K> } => ({ kind: kind(name) });

const slow = object<Slow>("a slow-down", {
  ...kindOf("slow"),
  ...WHERE,
  ...AGAIN,
  ...FOR,
  factor: required(positiveChance),
});

const pause = object<Pause>("a pause", {
  ...kindOf("pause"),
  ...WHERE,
  ...AGAIN,
  forMs: required(positiveChance),
});

const kill = object<Kill>("a node's death", {
  ...kindOf("kill"),
  ...WHERE,
  ...AGAIN,
  what: optional(oneOf(["machine", "reboot", "tracker"] as const)),
  backAfterMs: optional(positiveChance),
});

const stress = object<Stress>("stress now and then", {
  ...kindOf("stress"),
  ...WHERE,
  factor: required(positive),
  onMs: required(positive),
  offMs: required(positive),
  until: optional(positive),
});

const load = mapped(
  object<Load>("other programs on a node", {
    ...kindOf("load"),
    ...WHERE,
    ...AGAIN,
    ...FOR,
    processes: optional(whole({ min: 0 })),
    writers: optional(whole({ min: 0 })),
  }),
  (read, place) => {
    const { processes = 0, writers = 0 } = read;
    if (processes + writers === 0) place.fail("expected processes or writers, found none of them");
    return read;
  },
);

const loseOutputs = object<LoseOutputs>("a loss of outputs", {
  ...kindOf("lose-outputs"),
  ...WHERE,
  ...AGAIN,
  share: optional(shareChance),
});

const evict = mapped(
  object<Evict>("attempts that the host ends", {
    ...kindOf("evict"),
    ...WHERE,
    ...AGAIN,
    count: optional(whole({ min: 1 })),
    share: optional(shareChance),
  }),
  (read, place) => {
    if (read.count === undefined || read.share === undefined) return read;
    return place.fail("expected either a count or a share, found both");
  },
);

const fillDisk = object<FillDisk>("a full disk", {
  ...kindOf("fill-disk"),
  ...WHERE,
  ...AGAIN,
  forMs: required(positiveChance),
});

const congestion = object<Congestion>("others' traffic between racks", {
  ...kindOf("congestion"),
  ...AT,
  ...AGAIN,
  ...FOR,
  rack: required(text),
  share: required(shareChance),
  way: optional(oneOf(["up", "down", "both"] as const)),
});

export const fault: Shape<Fault> = variants<Fault>("a fault", {
  slow,
  pause,
  kill,
  stress,
  load,
  "lose-outputs": loseOutputs,
  evict,
  "fill-disk": fillDisk,
  congestion,
});
