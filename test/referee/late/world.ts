import { parseDiscipline } from "../../../src/policy/index.ts";
import { type Kind, MAP, REDUCE } from "../../letter/books.ts";
import { Dice } from "../../letter/dice.ts";
import type { AttemptBook, NodeBook, TaskBook } from "../driven/books.ts";
import { loseCopy, loseNode, remake } from "../driven/lose.ts";
import * as told from "../driven/tell.ts";
import { type Expected, type Launch, World } from "../driven/world.ts";
import { drawPlan, type LatePlan } from "./plan.ts";
import { answer, type Slot } from "./section-4.ts";

const nothing = (): Expected => ({ recomputes: [] });

export class LateWorld extends World<LatePlan> {
  constructor(seed: number) {
    const dice = new Dice(seed);
    const plan = drawPlan(dice);
    const sets = Object.entries(plan.thresholds).map(([name, to]) => `speculation.${name}=${to}`);
    super({
      ...{ referee: "late", seed, dice, plan },
      discipline: () =>
        parseDiscipline("late,sharing=fifo-plain", [
          ...sets,
          `detection.expiryMs=${plan.expiryMs}`,
        ]),
      capabilities: ["slot-offers", "kill-only", "kill-restart", "recompute"],
    });
  }

  /** Each free slot, one at a time; one that is not taken is not offered again. */
  override offer(node: NodeBook): void {
    for (const kind of [MAP, REDUCE]) {
      for (let free = this.books.freeOn(node, kind); free > 0; free--) {
        const isHeard = node.joined && node.silentSince === undefined;
        if (isHeard && this.dice.chance(this.plan.chances.offer)) this.#offerOne({ node, kind });
      }
    }
  }

  #offerOne(slot: Slot & { readonly kind: Kind }): void {
    const launched = this.#judged(told.offered(slot.node, slot.kind), nothing(), slot);
    if (launched === undefined) this.send(told.offered(slot.node));
  }

  override send(event: told.Told, expected = nothing()): void {
    this.#judged(event, expected);
  }

  override succeed = nothing;

  override lose(tasks: readonly TaskBook[], node: NodeBook): Expected {
    const expected = nothing();
    for (const task of tasks) if (loseCopy(task, node)) remake(task, expected.recomputes);
    this.books.findReady();
    return expected;
  }

  /** Returns the attempt that was launched. */
  #judged(event: told.Told, { recomputes }: Expected, slot?: Slot): AttemptBook | undefined {
    if (this.difference !== undefined) return undefined;
    const { books, counts } = this;
    if (event.kind === "node-left") counts.add("node lost");
    // At 0 the nodes join for the first time.
    if (event.kind === "node-joined" && books.now > 0) counts.add("node back");
    books.findReady();
    const expected = [...recomputes];
    const found: TaskBook[] = [];
    let launched: AttemptBook | undefined;
    for (const action of this.step(event)) {
      switch (action.kind) {
        case "declare-lost":
          expected.push(...this.#expire(books.node(action.node)));
          break;
        case "recompute":
          found.push(books.task(action.task));
          break;
        case "kill":
          this.#kill(action.attempt);
          break;
        case "launch":
          launched = this.#launch(action, slot);
          break;
        case "end-job":
          this.endJob(action.job);
          break;
        default:
          this.differ("action", "", action.kind);
      }
    }
    counts.add("map run again", found.length);
    this.compare("lost outputs", expected.map(textOf), found.map(textOf));
    if (slot !== undefined && launched === undefined) this.#judge(slot, "nothing");
    this.judgeEnds();
    if (launched !== undefined) this.send(told.started(books, launched));
    return launched;
  }

  #judge(slot: Slot, found: string): void {
    const expected = answer(this.books, this.plan.thresholds, slot);
    if (expected !== found) this.differ(`${slot.node.name}/${slot.kind}`, expected, found);
    if (found === "nothing") this.counts.add("slot left");
  }

  /** A silent node is lost once its expiry is over. */
  #expire(node: NodeBook): readonly TaskBook[] {
    this.counts.add("node lost");
    const { silentSince } = node;
    const isOver = silentSince !== undefined && this.books.now >= silentSince + this.plan.expiryMs;
    if (!isOver) this.differ("expiry", "", `${node.name} declared lost`);
    return this.lose(loseNode(this.books, node), node).recomputes;
  }

  #launch(action: Launch, slot: Slot | undefined): AttemptBook {
    const task = this.books.task(action.task);
    const isCopy = action.as === "speculative";
    const did = `${isCopy ? "copy" : "start"} task ${task.id}`;
    if (slot === undefined) this.differ("no slot", "", did);
    else this.#judge(slot, did);
    const isAgain = action.as === "recompute" || action.as === "rerun";
    this.counts.add(isCopy ? "copy" : isAgain ? "start again" : "start");
    if (isCopy && task.everDone) this.counts.add("copy of a map run again");
    return this.begin(action);
  }

  /** A silent node will not report the end. */
  #kill(id: number): void {
    const attempt = this.books.attempts.get(id);
    if (attempt?.state !== "running") return;
    attempt.state = "dying";
    if (attempt.node.silentSince !== undefined) this.books.end(attempt, "killed");
  }
}

const textOf = ({ id }: TaskBook): string => `recompute ${id}`;
