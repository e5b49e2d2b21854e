import { expect, test } from "vitest";
import { CAPABILITIES } from "../model/cluster.ts";
import { parseDiscipline } from "../policy/discipline.ts";
import { createScheduler, SETUP_DEFAULTS, type Setup, unmetWants } from "./index.ts";

const plain = parseDiscipline("none");

function setupWith(part: Partial<Setup>): Setup {
  const setup = { ...SETUP_DEFAULTS, seed: 1, slotKinds: ["map"], racks: ["r1"] };
  return { ...setup, discipline: plain, capabilities: [...CAPABILITIES], ...part };
}

const { speculation } = plain;

test("a wanted capability that the host lacks is named, and the scheduler starts", () => {
  const wanting = {
    ...speculation,
    policy: { ...speculation.policy, wants: ["replicate"] as const },
  };
  const setup = setupWith({
    discipline: { ...plain, speculation: wanting },
    capabilities: ["slot-offers"],
  });
  expect(unmetWants(setup)).toEqual([{ policy: "none", capability: "replicate" }]);
  expect(() => createScheduler(setup)).not.toThrow();
});

test("a needed capability that the host lacks is refused by name at start-up", () => {
  const late = parseDiscipline("late");
  const setup = setupWith({ discipline: late, capabilities: ["placement"] });
  expect(() => createScheduler(setup)).toThrow("speculation late: needs slot-offers");
});

test("offers are not needed where the host takes requests instead", () => {
  const late = parseDiscipline("late");
  const setup = setupWith({ discipline: late, capabilities: ["requests"] });
  expect(() => createScheduler(setup)).not.toThrow();
});
