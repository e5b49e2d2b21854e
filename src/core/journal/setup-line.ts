import { isList, isObject, type Json, type JsonObject } from "../../base/json.ts";
import { CAPABILITIES } from "../../model/cluster.ts";
import {
  type DisciplineDescription,
  describeDiscipline,
  type PolicyDescription,
} from "../../policy/policy.ts";
import type { Setup } from "../state/setup.ts";
import { type Fields, numberFrom, written } from "./fields.ts";

/** The first line of a journal. */
export interface SetupDescription extends Omit<Setup, "discipline"> {
  readonly discipline: DisciplineDescription;
  /** Whether the scheduler reported refusals. */
  readonly explain: boolean;
}

export function describeSetup(setup: Setup, explain: boolean): SetupDescription {
  return { ...setup, discipline: describeDiscipline(setup.discipline), explain };
}

/** The versions of the format: the first had no seals. */
const [UNSEALED, SEALED] = [1, 2];

export function writeSetup(setup: SetupDescription, sealed: boolean): JsonObject {
  return {
    journal: "broomwagon",
    version: sealed ? SEALED : UNSEALED,
    seed: setup.seed,
    explain: setup.explain,
    slotKinds: setup.slotKinds,
    racks: setup.racks,
    capabilities: setup.capabilities,
    statisticsEvery: written(setup.statisticsEvery),
    askAgainMs: written(setup.askAgainMs),
    attemptsMax: written(setup.attemptsMax),
    reportsKeptMs: written(setup.reportsKeptMs),
    discipline: writeDiscipline(setup.discipline),
  };
}

/** Whether the lines after this first line include seals. */
export const isSealed = (fields: Fields): boolean => fields.find("version") === SEALED;

export function readSetup(fields: Fields): SetupDescription {
  if (fields.text("journal") !== "broomwagon") fields.fail("journal", '"broomwagon"');
  if (![UNSEALED, SEALED].includes(fields.number("version"))) {
    fields.fail("version", `${UNSEALED} or ${SEALED}`);
  }
  return {
    seed: fields.finite("seed"),
    explain: fields.flag("explain"),
    slotKinds: fields.texts("slotKinds"),
    racks: fields.texts("racks"),
    capabilities: fields.texts("capabilities").map((name) => {
      const known = CAPABILITIES.find((capability) => capability === name);
      return known ?? fields.fail("capabilities", `of ${CAPABILITIES.join(", ")}`);
    }),
    statisticsEvery: fields.number("statisticsEvery"),
    askAgainMs: fields.number("askAgainMs"),
    attemptsMax: fields.number("attemptsMax"),
    reportsKeptMs: fields.number("reportsKeptMs"),
    discipline: readDiscipline(fields.fields("discipline")),
  };
}

function writeDiscipline(discipline: DisciplineDescription): JsonObject {
  const { files } = discipline;
  return {
    name: discipline.name,
    ...(files !== undefined && { files }),
    sharing: writePolicy(discipline.sharing),
    order: writePolicy(discipline.order),
    speculation: writePolicy(discipline.speculation),
    data: discipline.data.map(writePolicy),
    estimator: writePolicy(discipline.estimator),
    detection: writePolicy(discipline.detection),
  };
}

const writePolicy = ({ policy, params }: PolicyDescription): JsonObject => ({
  policy,
  params: mapNumbers({ ...params }, (value) =>
    typeof value === "number" ? written(value) : value,
  ),
});

function readDiscipline(fields: Fields): DisciplineDescription {
  return {
    name: fields.text("name"),
    ...(fields.has("files") && { files: fields.texts("files") }),
    sharing: readPolicy(fields.fields("sharing")),
    order: readPolicy(fields.fields("order")),
    speculation: readPolicy(fields.fields("speculation")),
    data: fields.rows("data").map(readPolicy),
    estimator: readPolicy(fields.fields("estimator")),
    detection: readPolicy(fields.fields("detection")),
  };
}

function readPolicy(fields: Fields): PolicyDescription {
  const params = Object.fromEntries(fields.fields("params").entries());
  return {
    policy: fields.text("policy"),
    params: mapNumbers(params, (value) => numberFrom(value) ?? value),
  };
}

/** Applies `change` to every leaf of the parameters. */
function mapNumbers(params: JsonObject, change: (leaf: Json) => Json): JsonObject {
  const deep = (value: Json): Json => {
    if (isList(value)) return value.map(deep);
    return isObject(value) ? mapNumbers(value, change) : change(value);
  };
  return Object.fromEntries(Object.entries(params).map(([name, value]) => [name, deep(value)]));
}
