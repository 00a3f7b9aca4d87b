import type { Page } from "@playwright/test";
import axe from "axe-core";

/** Level AA of WCAG 2.2 with what it builds on, and what axe holds for good practice. */
const RULES = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"];

/** What breaks the rules on a page as it is drawn now, with the elements. */
export async function violations(page: Page): Promise<string[]> {
  await page.evaluate(axe.source);
  return page.evaluate(async (values) => {
    const tool = (window as unknown as { axe: typeof axe }).axe;
    // What is right need not be described, which is most of the work.
    const found = await tool.run({ runOnly: { type: "tag", values }, resultTypes: ["violations"] });
    return found.violations.map(
      ({ id, nodes }) => `${id}: ${nodes.map(({ target }) => target.join(" ")).join(", ")}`,
    );
  }, RULES);
}
