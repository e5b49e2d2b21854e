import { describe, expect, test } from "vitest";
import { operatorsOf, planOf } from "./plan.ts";

interface Node {
  readonly nodeName: string;
  readonly children: readonly Node[];
  readonly metrics: readonly { readonly accumulatorId: number }[];
}

const node = (nodeName: string, counters: readonly number[], ...children: Node[]): Node => ({
  nodeName,
  children,
  metrics: counters.map((accumulatorId) => ({ accumulatorId })),
});

/** A join of two scans, as Spark 2 writes it: no frame has a number. */
const JOIN = node(
  "WholeStageCodegen",
  [1],
  node(
    "HashAggregate",
    [2],
    node(
      "InputAdapter",
      [],
      node(
        "Exchange",
        [3],
        node(
          "WholeStageCodegen",
          [4],
          node(
            "SortMergeJoin",
            [5],
            ...[10, 20].map((from) =>
              node(
                "InputAdapter",
                [],
                node(
                  "WholeStageCodegen",
                  [from],
                  node(
                    "Sort",
                    [from + 1],
                    node(
                      "InputAdapter",
                      [],
                      node(
                        "Exchange",
                        [from + 2],
                        node(
                          "WholeStageCodegen",
                          [from + 3],
                          node("Filter", [], node("InputAdapter", [], node("Scan csv ", []))),
                        ),
                      ),
                    ),
                  ),
                ),
              ),
            ),
          ),
        ),
      ),
    ),
  ),
);

const of = (scopes: readonly string[], counters: readonly number[], plan: Node = JOIN) =>
  operatorsOf(planOf(JSON.stringify(plan)), {
    scopes: new Set(scopes),
    counters: new Set(counters),
  });

const BOTH = ["WholeStageCodegen", "Exchange"];

describe("the operators of a stage", () => {
  test("stand in the order in which rows pass, those compiled together one by one", () => {
    expect(of([...BOTH, "Scan csv"], [12, 13])).toEqual(["Scan csv", "Filter", "Exchange"]);
  });

  test("of several with one name are those whose counters its tasks raised", () => {
    expect(of(BOTH, [3, 4, 5, 10, 12, 20, 22])).toEqual([
      "Exchange",
      "Sort",
      "SortMergeJoin",
      "Exchange",
    ]);
    expect(of(BOTH, [1, 3])).toEqual(["Exchange", "HashAggregate"]);
  });

  test("are all of that name if no counter tells", () => {
    expect(of(["WholeStageCodegen"], [])).toEqual([
      "Filter",
      "Sort",
      "SortMergeJoin",
      "HashAggregate",
    ]);
  });

  test("are none without a plan, or of a stage whose data the plan does not have", () => {
    expect(of(["map"], [1])).toEqual([]);
    expect(operatorsOf(planOf("{"), { scopes: new Set(["x"]), counters: new Set() })).toEqual([]);
    expect(operatorsOf(planOf("[]"), { scopes: new Set(["x"]), counters: new Set() })).toEqual([]);
  });

  test("of a plan that is deeper than calls can be", () => {
    // Brackets by hand: JSON.stringify calls itself.
    const depth = 3_000;
    const open = '{"nodeName":"Project","metrics":[],"children":['.repeat(depth);
    const plan = planOf(`${open}${"]}".repeat(depth)}`);
    expect(plan.nodes.length).toBe(depth);
    expect(operatorsOf(plan, { scopes: new Set(["Project"]), counters: new Set() })).toEqual([
      "Project",
    ]);
  });
});
