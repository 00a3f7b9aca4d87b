import { expect, type Locator, type Page } from "@playwright/test";

/** `/home`. */
export class HomePage {
  readonly recommendations: Locator;
  readonly tabBar: Locator;
  readonly categories: Locator;

  constructor(readonly page: Page) {
    this.recommendations = page.getByRole("region", { name: "推荐" });
    this.tabBar = page.getByRole("navigation", { name: "主导航" });
    this.categories = page.getByRole("navigation", { name: "分类" });
  }

  /** Opens it by its address. Its tiles are drawn by the running application only. */
  async open(): Promise<void> {
    await this.page.goto("/home");
    await this.isDrawn();
  }

  async isDrawn(): Promise<void> {
    await expect(this.recommendations.getByRole("link").first()).toBeVisible();
  }

  /** Videos in a category's block. */
  tilesOf(category: string): Locator {
    return this.page.getByRole("region", { name: category, exact: true }).locator("a.tile");
  }

  tab(name: string): Locator {
    return this.tabBar.getByRole("link", { name });
  }
}
