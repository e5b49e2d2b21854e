import { hint } from "../base/hint.ts";
import { InputError } from "../base/input-error.ts";
import { checkValue, LISTS_ALL, parseValue } from "./parameters.ts";
import { findParam } from "./params.ts";
import {
  type Discipline,
  type DisciplineDescription,
  defaultsOf,
  type Policy,
  type PolicyDescription,
  type Used,
} from "./policy.ts";
import { type NamedDiscipline, REGISTRY, type Registry, type Row } from "./registry.ts";
import { SEATS, type Seat, seatNamed } from "./seat.ts";
import { knows, parseSetting, type Setting, unknownSetting } from "./setting.ts";

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
  const find = <T extends AnyPolicy>(seat: Seat, rows: readonly Row<T>[], name: string): T =>
    policyNamed(rows, { seat, name, place });
  const chosen = {
    sharing: find("sharing", registry.sharing, seats.sharing),
    order: find("order", registry.order, seats.order),
    speculation: find("speculation", registry.speculation, seats.speculation),
    data: seats.data.map((name) => find("data", registry.data, name)),
    estimator: find("estimator", registry.estimator, seats.estimator),
    detection: find("detection", registry.detection, seats.detection),
  };
  const settings = sets.map(parseSetting);
  const unknown = settings.find((setting) => !knows(chosen, setting));
  if (unknown !== undefined) throw unknownSetting(unknown, chosen, registry);
  const discipline = {
    name: text.replaceAll(" ", ""),
    sharing: useWith(chosen.sharing, settingsOf("sharing", settings)),
    order: useWith(chosen.order, settingsOf("order", settings)),
    speculation: useWith(chosen.speculation, settingsOf("speculation", settings)),
    data: chosen.data.map((policy) => useWith(policy, settingsOf("data", settings))),
    estimator: useWith(chosen.estimator, settingsOf("estimator", settings)),
    detection: useWith(chosen.detection, settingsOf("detection", settings)),
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

const settingsOf = (seat: Seat, settings: readonly Setting[]): readonly Setting[] =>
  settings.filter((setting) => setting.seat === seat);

/** The policy, with those of the settings that it knows. */
function useWith<T extends AnyPolicy>(policy: T, settings: readonly Setting[]): Used<T> {
  const values = settings
    .filter(({ parameter }) => findParam(policy, parameter) !== undefined)
    .map(({ place, parameter, value }) => [parameter, parseValue(policy, parameter, value, place)]);
  return { policy, params: { ...defaultsOf(policy), ...Object.fromEntries(values) } };
}

const malformed = (place: string, text: string): InputError =>
  new InputError("unknown-policy", place, text);
