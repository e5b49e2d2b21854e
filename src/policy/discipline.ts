import { InputError } from "../base/input-error.ts";
import { checkValue, hint, LISTS_ALL, parseValue, unknownParameter } from "./parameters.ts";
import { findParam } from "./params.ts";
import {
  type Discipline,
  type DisciplineDescription,
  defaultsOf,
  type Policy,
  type PolicyDescription,
  type Used,
  use,
} from "./policy.ts";
import { type NamedDiscipline, REGISTRY, type Registry, type Row } from "./registry.ts";

export const SEATS = ["sharing", "order", "speculation", "data", "estimator", "detection"] as const;
export type Seat = (typeof SEATS)[number];

/**
 * Reads the text of `--discipline`: a name ("late"), a name with other policies in some seats
 * ("late,sharing=fifo-plain"), or policies alone ("speculation=late,order=hadoop"), in which case
 * the other seats are those of `none`. Two data policies are joined by "+". `sets` are the texts of
 * `--set`: "speculation.speculativeCap=0.2".
 */
export function parseDiscipline(
  text: string,
  sets: readonly string[] = [],
  registry: Registry = REGISTRY,
): Discipline {
  const place = `--discipline ${text}`;
  const seats = chooseSeats(text, place, registry);
  const settings = sets.map(parseSetting);
  const fill = <T extends AnyPolicy>(
    seat: Seat,
    rows: readonly Row<T>[],
    name: string,
  ): Used<T> => {
    const policy = policyNamed(rows, { seat, name, place });
    return useWith([policy], settingsOf(seat, settings))[0] ?? use(policy);
  };
  const data = seats.data.map((name) => policyNamed(registry.data, { seat: "data", name, place }));
  const discipline = {
    name: text.replaceAll(" ", ""),
    sharing: fill("sharing", registry.sharing, seats.sharing),
    order: fill("order", registry.order, seats.order),
    speculation: fill("speculation", registry.speculation, seats.speculation),
    data: useWith(data, settingsOf("data", settings)),
    estimator: fill("estimator", registry.estimator, seats.estimator),
    detection: fill("detection", registry.detection, seats.detection),
  };
  const files = filesOf(discipline, registry);
  return files.length === 0 ? discipline : { ...discipline, files };
}

/** The files of the discipline's policies, each once. */
function filesOf(discipline: Discipline, registry: Registry): readonly string[] {
  const rows: readonly Row<AnyPolicy>[] = SEATS.flatMap((seat): readonly Row<AnyPolicy>[] => {
    const used: readonly Used<AnyPolicy>[] = [discipline[seat]].flat();
    const known: readonly Row<AnyPolicy>[] = registry[seat];
    return known.filter((row) => used.some(({ policy }) => policy === row.policy));
  });
  return [...new Set(rows.flatMap(({ file }) => file ?? []))];
}

/** The inverse of `describeDiscipline`, for replays: finds the policies in the registry. */
export function restoreDiscipline(
  described: DisciplineDescription,
  registry: Registry = REGISTRY,
): Discipline {
  const { files } = described;
  const restore = <T extends AnyPolicy>(
    seat: Seat,
    rows: readonly Row<T>[],
    { policy: name, params }: PolicyDescription,
  ): Used<T> => {
    const place = `discipline.${seat}`;
    const policy = policyNamed(rows, { seat, name, place, files });
    const values = Object.entries(params).map(([key, value]) => [
      key,
      checkValue(policy, key, value, place),
    ]);
    return { policy, params: { ...defaultsOf(policy), ...Object.fromEntries(values) } };
  };
  return {
    name: described.name,
    ...(files !== undefined && { files }),
    sharing: restore("sharing", registry.sharing, described.sharing),
    order: restore("order", registry.order, described.order),
    speculation: restore("speculation", registry.speculation, described.speculation),
    data: described.data.map((one) => restore("data", registry.data, one)),
    estimator: restore("estimator", registry.estimator, described.estimator),
    detection: restore("detection", registry.detection, described.detection),
  };
}

type AnyPolicy = Policy<object, unknown>;

/** The names in the seats, in the order of the text; the last name for a seat counts. */
function chooseSeats(
  text: string,
  place: string,
  registry: Registry,
): Omit<NamedDiscipline, "meaning"> {
  let chosen = disciplineNamed("none", place, registry);
  text.split(",").forEach((item, index) => {
    const [left = "", ...rest] = item.split("=").map((part) => part.trim());
    if (rest.length === 0) {
      if (index > 0) throw malformed(place, `a named discipline stands first, found ${left}`);
      chosen = disciplineNamed(left, place, registry);
      return;
    }
    const seat = seatNamed(left, place);
    const name = rest.join("=");
    if (seat !== "data") chosen = { ...chosen, [seat]: name };
    else chosen = { ...chosen, data: name === "none" ? [] : name.split("+") };
  });
  return chosen;
}

function disciplineNamed(name: string, place: string, registry: Registry): NamedDiscipline {
  const found = registry.disciplines.find((one) => one.name === name);
  if (found !== undefined) return found;
  const known = registry.disciplines.map((one) => one.name);
  const text = `no discipline ${name || '""'}${hint(name, known) || ";"} ${LISTS_ALL}`;
  throw new InputError("unknown-policy", place, text);
}

function seatNamed(name: string, place: string): Seat {
  const seat = SEATS.find((one) => one === name);
  if (seat !== undefined) return seat;
  throw malformed(place, `no seat ${name || '""'}; known: ${SEATS.join(", ")}${hint(name, SEATS)}`);
}

function policyNamed<T extends AnyPolicy>(
  rows: readonly Row<T>[],
  wanted: {
    readonly seat: Seat;
    readonly name: string;
    readonly place: string;
    /** The files of the user's own policies in the run that is restored. */
    readonly files?: readonly string[] | undefined;
  },
): T {
  const { seat, name, place, files } = wanted;
  const found = rows.find(({ policy }) => policy.name === name);
  if (found !== undefined) return found.policy;
  if (files !== undefined) {
    const flags = files.map((file) => `--policies ${file}`).join(" ");
    const text = `no ${seat} policy ${name}, which the run took from a file: give ${flags}`;
    throw new InputError("unknown-policy", place, text);
  }
  const known = rows.map(({ policy }) => policy.name);
  if (seat === "data") known.unshift("none");
  const text = `no ${seat} policy ${name || '""'}; known: ${known.join(", ")}${hint(name, known)}`;
  throw new InputError("unknown-policy", place, text);
}

interface Setting {
  readonly place: string;
  readonly seat: Seat;
  readonly parameter: string;
  readonly value: string;
}

function parseSetting(text: string): Setting {
  const place = `--set ${text}`;
  const [, seat = "", parameter = "", value = ""] = /^([^.=]+)\.([^=]+)=(.*)$/s.exec(text) ?? [];
  if (parameter === "") {
    const example = "SEAT.PARAMETER=VALUE: speculation.speculativeCap=0.2";
    throw new InputError("bad-parameter", place, `expected ${example}`);
  }
  return { place, seat: seatNamed(seat.trim(), place), parameter: parameter.trim(), value };
}

const settingsOf = (seat: Seat, settings: readonly Setting[]): readonly Setting[] =>
  settings.filter((setting) => setting.seat === seat);

/** Gives each setting to the policies that know it; at least one must. */
function useWith<T extends AnyPolicy>(
  policies: readonly T[],
  settings: readonly Setting[],
): readonly Used<T>[] {
  const values = policies.map(() => new Map<string, unknown>());
  for (const { place, parameter, value } of settings) {
    const knowing = policies.filter((policy) => findParam(policy, parameter) !== undefined);
    if (policies.length === 0) {
      throw new InputError("unknown-parameter", place, "no policy is in this seat");
    }
    if (knowing.length === 0) throw unknownParameter(policies, parameter, place);
    for (const policy of knowing) {
      const parsed = parseValue(policy, parameter, value, place);
      values[policies.indexOf(policy)]?.set(parameter, parsed);
    }
  }
  return policies.map((policy, index) => ({
    policy,
    params: { ...defaultsOf(policy), ...Object.fromEntries(values[index] ?? []) },
  }));
}

const malformed = (place: string, text: string): InputError =>
  new InputError("unknown-policy", place, text);
