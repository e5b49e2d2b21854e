import { checkOwnPolicy, isRecord, listIn, mistake, type OwnPlace } from "./check-own-policy.ts";
import { guarded } from "./guard-hooks.ts";
import type {
  DataPolicy,
  DetectionPolicy,
  Estimator,
  Policy,
  SharingPolicy,
  SpeculationPolicy,
  TaskOrder,
} from "./policy.ts";
import type { NamedDiscipline, Registry, Row } from "./registry.ts";
import { SEATS } from "./seat.ts";
import { type FieldsOf, SEAT_FIELDS } from "./seat-fields.ts";

/** Policies by seat, and disciplines that name them: the default export of a `--policies` file. */
export interface OwnPolicies {
  readonly sharing?: readonly OwnRow<SharingPolicy>[];
  readonly order?: readonly OwnRow<TaskOrder>[];
  readonly speculation?: readonly OwnRow<SpeculationPolicy>[];
  readonly data?: readonly OwnRow<DataPolicy>[];
  readonly estimator?: readonly OwnRow<Estimator>[];
  readonly detection?: readonly OwnRow<DetectionPolicy>[];
  readonly disciplines?: readonly OwnDiscipline[];
}

/** A policy, or a policy with the line that `broomwagon policies` prints about it. */
export type OwnRow<T> = T | { readonly policy: T; readonly meaning: string };

/** A name for policies. A seat that is left out has the policy of the discipline `none`. */
export type OwnDiscipline = Pick<NamedDiscipline, "name"> & Partial<NamedDiscipline>;

/**
 * Policies of your own, for `--policies`:
 *
 *     export default definePolicies({ speculation: [oldest] });
 */
export const definePolicies = (own: OwnPolicies): OwnPolicies => own;

/** A user's file, and its default export. */
export interface OwnFile {
  /** As given to `--policies`. */
  readonly file: string;
  readonly exported: unknown;
}

/** The registry with the policies of the files; InputError if a file is malformed. */
export const withOwnPolicies = (registry: Registry, files: readonly OwnFile[]): Registry =>
  files.reduce(withFile, registry);

function withFile(registry: Registry, { file, exported }: OwnFile): Registry {
  const place: OwnPlace = { file, path: "" };
  if (exported === undefined) throw mistake(place, `expected ${EXAMPLE}`);
  if (!isRecord(exported)) throw mistake(place, `expected its default export to be ${SHAPE}`);
  for (const key of Object.keys(exported)) listIn(exported, key, { place, known: PARTS });
  const seat = <T extends AnyPolicy>(
    name: (typeof SEATS)[number],
    known: readonly Row<T>[],
    fields: FieldsOf<T>,
  ): readonly Row<T>[] => {
    const at = (index: number): OwnPlace => ({ file, path: `${name}[${index}]` });
    const rows = [...known];
    for (const [index, entry] of listIn(exported, name, { place, known: PARTS }).entries()) {
      rows.push(rowOf(entry, at(index), { rows, fields }));
    }
    return rows;
  };
  const policies: Registry = {
    disciplines: registry.disciplines,
    sharing: seat("sharing", registry.sharing, SEAT_FIELDS.sharing),
    order: seat("order", registry.order, SEAT_FIELDS.order),
    speculation: seat("speculation", registry.speculation, SEAT_FIELDS.speculation),
    data: seat("data", registry.data, SEAT_FIELDS.data),
    estimator: seat("estimator", registry.estimator, SEAT_FIELDS.estimator),
    detection: seat("detection", registry.detection, SEAT_FIELDS.detection),
  };
  const disciplines = [...registry.disciplines];
  for (const [index, entry] of listIn(exported, "disciplines", { place, known: PARTS }).entries()) {
    const at = { file, path: `disciplines[${index}]` };
    disciplines.push(disciplineOf(entry, at, { ...policies, disciplines }));
  }
  return { ...policies, disciplines };
}

const EXAMPLE = "`export default definePolicies({ speculation: [yourPolicy] })`";
const PARTS: readonly string[] = [...SEATS, "disciplines"];
const SHAPE = `an object with lists of policies: ${PARTS.join(", ")}`;

type AnyPolicy = Policy<object, unknown>;

function rowOf<T extends AnyPolicy>(
  entry: unknown,
  at: OwnPlace,
  { rows, fields }: { readonly rows: readonly Row<T>[]; readonly fields: FieldsOf<T> },
): Row<T> {
  const isRow = isRecord(entry) && "policy" in entry;
  const policy: unknown = isRow ? entry.policy : entry;
  checkOwnPolicy<T>(policy, at, fields);
  const { name, source } = policy;
  const taken = rows.find((row) => row.policy.name === name);
  if (taken !== undefined || name === "none") {
    const by = taken === undefined ? "" : ` (${taken.page})`;
    throw mistake({ ...at, path: `${at.path}.name` }, `${name} is taken${by}: expected another`);
  }
  const meaning = isRow && typeof entry.meaning === "string" ? entry.meaning : source;
  return { policy: guarded(policy, at, fields), meaning, page: at.file, file: at.file };
}

/** The seats of `none`. */
const USUAL: Omit<NamedDiscipline, "name" | "meaning"> = {
  sharing: "fifo",
  order: "hadoop",
  speculation: "none",
  data: [],
  estimator: "progress-rate",
  detection: "fixed-expiry",
};

function disciplineOf(entry: unknown, at: OwnPlace, registry: Registry): NamedDiscipline {
  if (!isRecord(entry) || typeof entry.name !== "string" || !/^[\w.-]+$/.test(entry.name)) {
    throw mistake(at, "expected { name, speculation, ... }, the name of letters, digits, . and -");
  }
  const { name } = entry;
  if (registry.disciplines.some((one) => one.name === name)) {
    throw mistake({ ...at, path: `${at.path}.name` }, `${name} is taken: expected another`);
  }
  const text = (key: string): string | undefined => {
    const value: unknown = entry[key];
    if (value === undefined || typeof value === "string") return value;
    throw mistake({ ...at, path: `${at.path}.${key}` }, "expected the name of a policy");
  };
  const known = ["name", "meaning", "source", ...SEATS];
  for (const key of Object.keys(entry)) {
    if (!known.includes(key)) throw mistake(at, `${key}: unknown; expected ${known.join(", ")}`);
  }
  const named: NamedDiscipline = {
    ...USUAL,
    name,
    meaning: text("meaning") ?? `from ${at.file}`,
    ...chosen("sharing", text("sharing")),
    ...chosen("order", text("order")),
    ...chosen("speculation", text("speculation")),
    ...chosen("estimator", text("estimator")),
    ...chosen("detection", text("detection")),
    data: namesIn(entry.data, at),
  };
  checkSeats(named, at, registry);
  return named;
}

const chosen = (seat: string, name: string | undefined): object =>
  name === undefined ? {} : { [seat]: name };

function namesIn(data: unknown, at: OwnPlace): readonly string[] {
  const names: readonly unknown[] = Array.isArray(data) ? data : data === undefined ? [] : [data];
  return names.map((name) => {
    if (typeof name === "string") return name;
    throw mistake({ ...at, path: `${at.path}.data` }, "expected a list of names of policies");
  });
}

function checkSeats(named: NamedDiscipline, at: OwnPlace, registry: Registry): void {
  for (const seat of SEATS) {
    const rows: readonly Row<AnyPolicy>[] = registry[seat];
    const known = rows.map(({ policy }) => policy.name);
    for (const name of [named[seat]].flat()) {
      if (known.includes(name)) continue;
      const text = `no ${seat} policy ${name}; known: ${known.join(", ")}`;
      throw mistake({ ...at, path: `${at.path}.${seat}` }, text);
    }
  }
}
