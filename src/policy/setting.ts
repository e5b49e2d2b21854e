import { nearNames, orList } from "../base/hint.ts";
import { InputError } from "../base/input-error.ts";
import { findParam } from "./params.ts";
import type { Policy } from "./policy.ts";
import type { Registry, Row } from "./registry.ts";
import { SEATS, type Seat, seatNamed } from "./seat.ts";

type AnyPolicy = Policy<object, unknown>;

/** A text of `--set`, taken apart. */
export interface Setting {
  readonly place: string;
  readonly seat: Seat;
  readonly parameter: string;
  readonly value: string;
}

/** InputError if the text is not as `speculation.speculativeCap=0.2`. */
export function parseSetting(text: string): Setting {
  const place = `--set ${text}`;
  const [, seat = "", parameter = "", value = ""] = /^([^.=]+)\.([^=]+)=(.*)$/s.exec(text) ?? [];
  if (parameter === "") {
    const example = "SEAT.PARAMETER=VALUE: speculation.speculativeCap=0.2";
    throw new InputError("bad-parameter", place, `expected ${example}`);
  }
  return { place, seat: seatNamed(seat.trim(), place), parameter: parameter.trim(), value };
}

/** The policies in the seats of a discipline. */
export type Seated = { readonly [S in Seat]: AnyPolicy | readonly AnyPolicy[] };

/** Whether a policy of the setting's seat has its parameter. */
export const knows = (seated: Seated, { seat, parameter }: Setting): boolean =>
  [seated[seat]].flat().some((policy) => findParam(policy, parameter) !== undefined);

/** The error for a setting that this discipline does not know. */
export function unknownSetting(setting: Setting, seated: Seated, registry: Registry): InputError {
  const { place, seat, parameter } = setting;
  const policies = [seated[seat]].flat();
  const names = [...new Set(policies.flatMap((policy) => Object.keys(policy.params)))];
  const having = policies.map((policy) => policy.name).join(" and ");
  const [has, it] = policies.length === 1 ? ["has", "it has"] : ["have", "they have"];
  const lacks =
    policies.length === 0
      ? "no policy is in this seat"
      : `${having} ${has} no parameter ${parameter}; ` +
        (names.length === 0 ? `${it} none` : `known: ${names.join(", ")}`);
  const hint = settingHint(setting, [seated], registry);
  return new InputError("unknown-parameter", place, `${lacks}${hint}`);
}

/**
 * The end of an error about a setting that none of these disciplines knows: the policies that have
 * the parameter, or else the nearest parameters in any seat of the disciplines.
 */
export function settingHint(
  { seat, parameter }: Setting,
  disciplines: readonly Seated[],
  registry: Registry,
): string {
  const rows: readonly Row<AnyPolicy>[] = registry[seat];
  const having = rows
    .filter(({ policy }) => findParam(policy, parameter) !== undefined)
    .map(({ policy }) => policy.name);
  if (having.length > 0) return `; it is a parameter of ${having.join(", ")}`;
  const known = disciplines.flatMap((seated) =>
    SEATS.flatMap((each) =>
      [seated[each]]
        .flat()
        .flatMap(({ params }) =>
          Object.keys(params).map((name) => ({ name, full: `${each}.${name}` })),
        ),
    ),
  );
  const near = nearNames(
    parameter,
    known.map(({ name }) => name),
  );
  const full = near.flatMap((name) => known.filter((one) => one.name === name));
  const texts = [...new Set(full.map((one) => one.full))].slice(0, HINTS_MAX);
  return texts.length === 0 ? "" : `; did you mean ${orList(texts)}?`;
}

const HINTS_MAX = 3;
