import type { Locator, Page } from "@playwright/test";
import type { Finger } from "../fixtures/test.ts";

/** `/search`. */
export class SearchPage {
  readonly field: Locator;
  readonly history: Locator;
  readonly suggestions: Locator;

  constructor(readonly page: Page) {
    this.field = page.getByRole("combobox", { name: "搜索视频、标签" });
    this.history = page
      .getByRole("region", { name: "搜索历史" })
      .locator(".chip-flow")
      .getByRole("button");
    this.suggestions = page.getByRole("listbox", { name: "搜索联想" }).getByRole("option");
  }

  async open(): Promise<void> {
    await this.page.goto("/search");
  }

  async search(finger: Finger, term: string): Promise<void> {
    await this.field.fill(term);
    await finger.press(this.page.getByRole("button", { name: "搜索", exact: true }));
  }
}
