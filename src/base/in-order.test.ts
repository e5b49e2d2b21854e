import { expect, test } from "vitest";
import { inOrder } from "./in-order.ts";
import { integer, randomState } from "./random.ts";

test("items come in order, whatever the order of their list", () => {
  const chance = randomState(7);
  for (let count = 0; count < 60; count += 1) {
    const numbers = Array.from({ length: count }, () => integer(chance, 10));
    const sorted = [...numbers].sort((a, b) => a - b);
    expect([...inOrder([...numbers], (a, b) => a < b)]).toEqual(sorted);
  }
});
