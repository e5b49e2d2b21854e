import type { Page } from "playwright-core";

/** The room of the names at the left of the timeline, and of the times below it. */
export const [NAMES, AXIS] = [124, 22];

/** The page's tip while the pointer is at each place; empty without a tip. */
export const tipsAt = (page: Page, places: readonly object[]): Promise<readonly string[]> =>
  page.evaluate(`(async () => {
    const rows = document.querySelector("canvas.rows");
    rows.scrollIntoView({ behavior: "instant", block: "center" });
    const box = rows.getBoundingClientRect();
    const said = [];
    for (const { x, y } of ${JSON.stringify(places)}) {
      const [clientX, clientY] = [box.x + ${NAMES} + x, box.y + y];
      const event = new PointerEvent("pointermove", { clientX, clientY, bubbles: true });
      document.elementFromPoint(clientX, clientY).dispatchEvent(event);
      await new Promise((resolve) => setTimeout(resolve));
      said.push(document.querySelector(".tip")?.innerText ?? "");
    }
    return said;
  })()`);
