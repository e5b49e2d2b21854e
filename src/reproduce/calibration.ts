import {
  dictionary,
  isObject,
  mapped,
  object,
  Place,
  required,
  type Shape,
  text,
} from "../base/shape.ts";

/**
 * `reproduction/calibration.json`: every constant of every cluster and workload model, each with
 * its source. Experiments refer to it by name and add no constants of their own.
 */
export interface Calibration {
  /** By dotted name: "late.ec2.host". */
  readonly constants: Readonly<Record<string, Constant>>;
}

export interface Constant {
  /** A number, or a piece of a scenario. */
  readonly value: unknown;
  readonly unit: string;
  /** Paper and table or section; or the measurement it was fitted to; or why it was assumed. */
  readonly source: string;
}

const anything: Shape<unknown> = { expected: "a value", read: (json) => json };

const calibration: Shape<Calibration> = mapped(
  dictionary(
    object<Constant>("a constant", {
      value: required(anything),
      unit: required(text),
      source: required(text),
    }),
  ),
  (constants) => ({ constants }),
);

/** Reads the file's JSON; throws an InputError with the place and what was expected there. */
export function parseCalibration(json: unknown, file: string): Calibration {
  return calibration.read(json, new Place("bad-experiment", file));
}

/**
 * The JSON with each `{"constant": "name"}` in it replaced by the constant's value. Constants may
 * be made of other constants.
 */
export function withConstants(
  json: unknown,
  known: Calibration,
  place: Place,
  within: readonly string[] = [],
): unknown {
  if (Array.isArray(json)) {
    return json.map((item: unknown, i) => withConstants(item, known, place.index(i), within));
  }
  if (!isObject(json)) return json;
  const name: unknown = Reflect.get(json, "constant");
  if (name !== undefined) return constantNamed(json, known, place, within);
  return Object.fromEntries(
    Object.entries(json).map(([key, item]: [string, unknown]) => [
      key,
      withConstants(item, known, place.key(key), within),
    ]),
  );
}

function constantNamed(
  json: object,
  known: Calibration,
  place: Place,
  within: readonly string[],
): unknown {
  const { constant: name } = reference.read(json, place);
  const at = place.key("constant");
  if (within.includes(name)) at.refuse("a constant that is not made of itself", name);
  const found = Object.hasOwn(known.constants, name) ? known.constants[name] : undefined;
  if (found === undefined) return at.refuse("the name of a constant in calibration.json", name);
  return withConstants(found.value, known, place, [...within, name]);
}

const reference = object<{ readonly constant: string }>("a reference to a constant", {
  constant: required(text),
});
