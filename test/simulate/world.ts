import { pull, type SchedulerOptions } from "../../src/core/index.ts";
import { parseDiscipline } from "../../src/policy/discipline.ts";
import { type Discipline, use } from "../../src/policy/policy.ts";
import type { Plan } from "../../src/testing/plan.ts";
import { World as TestingWorld } from "../../src/testing/world.ts";
import { testSharing } from "../golden/policies/sharing.ts";
import { Books } from "../support/books.ts";
import { chaosData, chaosSpeculation } from "./chaos.ts";
import { twins } from "./twins.ts";

/** A random world whose plan may name policies of the tests, and whose facts are checked too. */
export class World extends TestingWorld {
  readonly #books: Books;

  constructor(plan: Plan, options: SchedulerOptions = {}) {
    const books = new Books();
    super(plan, {
      ...options,
      discipline: disciplineOf(plan),
      onFacts: (facts, view) => books.step(facts, view),
    });
    this.#books = books;
  }

  override run(): void {
    super.run();
    this.#books.end();
  }
}

function disciplineOf(plan: Plan): Discipline {
  const named = parseDiscipline(plan.discipline, plan.sets);
  const params = { chance: 0.1, until: plan.calmFrom };
  const sharing = use(testSharing, { nodeMs: 4_000, rackMs: 4_000, jobsMax: 2, farMax: 1 });
  const { speculation } = named;
  const pulled = pull(speculation.policy, { tickMs: 5_000, placement: plan.seed % 2 === 0 });
  return {
    ...named,
    ...(plan.offersSlots ? {} : { speculation: { ...speculation, policy: pulled } }),
    ...(plan.seats.includes("chaos") ? { speculation: use(chaosSpeculation, params) } : {}),
    ...(plan.seats.includes("twins") ? { speculation: use(twins) } : {}),
    ...(plan.seats.includes("protection") ? { data: [use(chaosData, params)] } : {}),
    ...(plan.seats.includes("sharing") ? { sharing } : {}),
  };
}
