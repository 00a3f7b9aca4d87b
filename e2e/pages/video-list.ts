import { expect, type Locator, type Page } from "@playwright/test";
import type { Finger } from "../fixtures/test.ts";

/** What `/list` and `/searchList` have in common: videos in pages, with all their states. */
export class VideoListPage {
  readonly tiles: Locator;
  readonly blocks: Locator;
  readonly placeholders: Locator;
  readonly retry: Locator;
  readonly end: Locator;
  readonly pagePill: Locator;
  readonly pageSheet: Locator;
  readonly message: Locator;

  constructor(readonly page: Page) {
    this.tiles = page.locator("a.tile:visible");
    this.blocks = page.locator("a.video-block:visible");
    this.placeholders = page.getByRole("status", { name: "正在加载" }).filter({ visible: true });
    this.retry = page.getByRole("button", { name: "请求失败，点击我重新加载" });
    this.end = page.getByText("没有更多了", { exact: true });
    this.pagePill = page.locator(".page-pill:visible");
    this.pageSheet = page.getByRole("dialog", { name: "选择页码" });
    this.message = page.locator(".message");
  }

  async open(typeId = 0, orderby = "new"): Promise<void> {
    await this.page.goto(`/list?typeId=${typeId}&orderby=${orderby}`);
    await this.isDrawn();
  }

  async isDrawn(): Promise<void> {
    await expect(this.tiles.first()).toBeVisible();
  }

  titleOf(index: number): Locator {
    return this.tiles.nth(index).locator(".tile-title");
  }

  categoryTab(name: string): Locator {
    return this.page.getByRole("tab", { name, exact: true });
  }

  order(name: "最新" | "最热"): Locator {
    return this.page.getByRole("button", { name, exact: true });
  }

  /** Place of a tile that lies wholly between the bars, from 0: pressing it scrolls nothing. */
  async tileInSight(): Promise<number> {
    const index = await this.tiles.evaluateAll((tiles) =>
      tiles.findIndex((tile) => {
        const { top, bottom } = tile.getBoundingClientRect();
        return top > 180 && bottom < 760;
      }),
    );
    expect(index).toBeGreaterThanOrEqual(0);
    return index;
  }

  /**
   * Scrolls by touch until something holds; fails when the list has come to nothing after many
   * drags.
   */
  async scrollUntil(finger: Finger, holds: () => Promise<boolean>): Promise<void> {
    for (let drags = 0; drags < 60; drags += 1) {
      if (await holds()) return;
      await finger.drag({ x: 195, y: 720 }, { x: 195, y: 160 }, 6);
    }
    throw new Error("60 drags did not lead there");
  }
}
