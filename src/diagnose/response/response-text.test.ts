import { expect, test } from "vitest";
import { responseClauses } from "./response-text.ts";

type Facts = Parameters<typeof responseClauses>[0];

const NO_IDLE = { ms: 0, driverMs: 0, noSlotMs: 0, launchingMs: 0, spells: 0 };

/** A response of 100 s, of which slots were idle for `few` beside the last tasks of a stage. */
function facts(few: number, late: number): Facts {
  const work = { part: "work", ms: 100_000 - few * 1_000, evidence: [] } as const;
  const evidence = [{ what: "stage 1", ms: few * 1_000 }];
  return {
    job: {},
    responseMs: 100_000,
    delayMs: late * 1_000,
    parts: [work, { part: "few-tasks", ms: few * 1_000, evidence }],
    idle: { ...NO_IDLE, places: [], kinds: [], longest: [] },
    slots: { most: 8, isRecorded: true },
    phases: [],
    format: "spark",
  };
}

test("idle slots beside too few tasks are named if they cost more than lateness, or much", () => {
  const texts = (few: number, late: number) => responseClauses(facts(few, late)).length;
  expect(texts(20, 5)).toBe(1);
  expect(texts(20, 22)).toBe(0);
  expect(texts(30, 32)).toBe(1);
  expect(texts(8, 0)).toBe(0);
  expect(responseClauses(facts(20, 5))[0]?.text).toBe(
    "slots were idle beside too few tasks for 20.0 s",
  );
});

type Idle = Facts["idle"];
type Place = Idle["places"][number];

/** Of 100 s, 40 s in which no attempt ran, at these places of a part. */
function idleFacts(
  part: Place["part"],
  whats: readonly string[],
  more: Partial<Facts> & { readonly kinds?: Idle["kinds"] } = {},
): string | undefined {
  const { kinds = [], ...others } = more;
  const ms = 40_000;
  const by = { driverMs: 0, noSlotMs: 0, launchingMs: 0 };
  const name = ({ driver: "driverMs", "no-slot": "noSlotMs", launching: "launchingMs" } as const)[
    part
  ];
  const places = whats.map((what): Place => ({ what, part, at: "before", ms: ms / whats.length }));
  const idle: Idle = { ...NO_IDLE, ...by, [name]: ms, ms, spells: 1, places, kinds, longest: [] };
  return responseClauses({ ...facts(0, 0), idle, ...others })[0]?.text;
}

test.each([
  ["spark", "the driver"],
  ["journal", "the master"],
  ["jobtracker", "the job tracker"],
  ["jhist", "the ApplicationMaster"],
] as const)("%s: %s works while no task is due", (format, who) => {
  expect(idleFacts("driver", ["between job 1 and job 2"], { format })).toBe(
    `no attempt ran for 40.0 of 100 s: ${who} worked alone between job 1 and job 2`,
  );
});

test("a driver alone at many places is told by their kinds", () => {
  const kind = (at: Idle["kinds"][number]["at"], ms: number, count: number) =>
    ({ part: "driver", at, ms, count }) as const;
  const told = (...kinds: Idle["kinds"]): string | undefined => {
    const many = Array.from({ length: 10 }, (_, n) => `within job ${n}`);
    return idleFacts("driver", many, { kinds });
  };
  expect(told(kind("between", 30_000, 9), kind("before", 10_000, 1))).toBe(
    "no attempt ran for 40.0 of 100 s: the driver worked alone, 30.0 s between its jobs (9 " +
      "times), 10.0 s before its first tasks",
  );
  expect(told(kind("inside", 30_000, 9))).toMatch(/30\.0 s within its jobs \(9 times\)$/);
  expect(told(kind("after", 30_000, 1))).toMatch(/30\.0 s after its last tasks$/);
  expect(told(kind("result", 30_000, 2))).toMatch(/30\.0 s fetching results \(2 times\)$/);
});

test("tasks that are due wait for executors, containers, others' slots, or their launch", () => {
  const waits = (more: Partial<Facts>): string | undefined =>
    idleFacts("no-slot", ["before stage 0"], more)?.replace(/^.*: /, "");
  expect(waits({})).toBe("tasks waited for executors before stage 0");
  expect(waits({ format: "jhist" })).toBe("tasks waited for containers before stage 0");
  expect(waits({ job: { part: { name: "query 1", besideMs: 5 } as never } })).toBe(
    "tasks waited for slots that others held before stage 0",
  );
  expect(idleFacts("launching", ["before stage 0"])).toMatch(
    /: tasks were due beside free slots before stage 0$/,
  );
});

test("slots that came late or left early have what that cost", () => {
  const parts = [{ part: "no-slot", ms: 20_000, evidence: [] }] as const;
  const late = { slots: 6, byMs: 10_000, tookMs: 90_000, wouldTakeMs: 70_000 };
  const said = (slots: Facts["slots"]): string | undefined =>
    responseClauses({ ...facts(0, 0), parts, slots })[0]?.text;
  expect(said({ most: 8, isRecorded: true })).toBe(
    "not all of its 8 slots lasted: that cost 20.0 s",
  );
  expect(said({ most: 8, isRecorded: true, late })).toBe(
    "6 of 8 slots came 10.0 s late: 90.0 s where 70.0 s would do",
  );
});
