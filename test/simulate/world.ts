import { pull } from "../../src/core/index.ts";
import { parseDiscipline } from "../../src/policy/discipline.ts";
import { type Discipline, use } from "../../src/policy/policy.ts";
import type { Plan } from "../../src/testing/plan.ts";
import { World as TestingWorld, type WorldOptions } from "../../src/testing/world.ts";
import { testSharing } from "../golden/policies/sharing.ts";
import { Books } from "../support/books.ts";
import { chaosData, chaosSpeculation } from "./chaos.ts";
import { twins } from "./twins.ts";

/** A random world whose plan may name policies of the tests, and whose facts are checked too. */
export class World extends TestingWorld {
  readonly #books: Books;

  constructor(plan: Plan, options: Omit<WorldOptions, "discipline" | "onFacts"> = {}) {
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
  // Chaos acts every few seconds.
  const until = plan.calmFrom === 0 ? 0 : Math.max(plan.calmFrom, 60_000);
  const params = { chance: 0.1, until };
  const sharing = use(testSharing, { nodeMs: 4_000, rackMs: 4_000, jobsMax: 2, farMax: 1 });
  const speculation = looking(named.speculation, plan.lookEveryMs);
  const pulled = pull(speculation.policy, { tickMs: 5_000, placement: plan.seed % 2 === 0 });
  return {
    ...named,
    speculation,
    ...(plan.offersSlots ? {} : { speculation: { ...speculation, policy: pulled } }),
    ...(plan.seats.includes("chaos") ? { speculation: use(chaosSpeculation, params) } : {}),
    ...(plan.seats.includes("twins") ? { speculation: use(twins) } : {}),
    ...(plan.seats.includes("protection") ? { data: [use(chaosData, params)] } : {}),
    ...(plan.seats.includes("sharing") ? { sharing } : {}),
  };
}

/** Has the plan's interval, if the policy looks at intervals. */
const looking = (used: Discipline["speculation"], intervalMs: number): Discipline["speculation"] =>
  "intervalMs" in used.params ? { ...used, params: { ...used.params, intervalMs } } : used;
