import {
  dictionary,
  type Infer,
  isObject,
  mapped,
  Place,
  record,
  required,
  type Shape,
  text,
} from "../base/shape.ts";

/**
 * `reproduction/calibration.json`: every constant of every cluster and workload model, each with
 * its source. Experiments refer to a constant by name and add none of their own.
 */
export interface Calibration {
  /** By dotted name: "late.ec2.host". */
  readonly constants: Readonly<Record<string, Constant>>;
}

const anything: Shape<unknown> = { expected: "a value", read: (json) => json };

export type Constant = Infer<typeof constantShape>;
const constantShape = record("a constant", {
  /** A number, or a part of a scenario. */
  value: required(anything),
  unit: required(text),
  /**
   * The paper and table or section, the measurement to which the value was fitted, or the reason
   * for an assumption.
   */
  source: required(text),
});

const calibration: Shape<Calibration> = mapped(dictionary(constantShape), (constants) => ({
  constants,
}));

/** Reads the file's JSON; throws an InputError with the place and what was expected there. */
export function parseCalibration(json: unknown, file: string): Calibration {
  return calibration.read(json, new Place("bad-experiment", file));
}

/**
 * The JSON with each `{"constant": "name"}` replaced by the constant's value. Constants may contain
 * other constants.
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

const reference = record("a reference to a constant", {
  constant: required(text),
});
