import { parse } from "node:path";
import { expect, test } from "@playwright/test";

const SITE = process.env.PACKAGE_SITE ?? "";
/** A one-time address of the console. */
const LINK = process.env.PACKAGE_LINK ?? "";
const FILM = process.env.PACKAGE_FILM ?? "";
/** A film without side-cars is called as its file. */
const TITLE = parse(FILM).name;

const timeOf = (element: Element) => (element as HTMLVideoElement).currentTime;

test("the first film of one's own goes from the console to the visitors' player", async ({
  page,
  context,
}) => {
  await page.goto(LINK);
  await expect(page.getByRole("heading", { level: 1, name: "总览" })).toBeVisible();
  await page.getByRole("link", { name: "上传", exact: true }).filter({ visible: true }).click();
  const chosen = page.waitForEvent("filechooser");
  await page.getByRole("button", { name: "选择视频" }).click();
  await (await chosen).setFiles(FILM);
  const uploaded = page.getByRole("listitem").filter({ hasText: TITLE });
  await expect(uploaded.getByText("已完成")).toBeVisible({ timeout: 120_000 });
  await uploaded.getByRole("link", { name: /查看视频/ }).click();
  await expect(page.getByRole("heading", { level: 1, name: TITLE })).toBeVisible();
  const id = new URL(page.url()).pathname.split("/").at(-1);
  const visitor = await context.newPage();
  await visitor.goto(`${SITE}/playVideo?id=${id}`);
  await expect(visitor.getByText(TITLE).first()).toBeVisible();
  await expect.poll(() => visitor.locator("video").first().evaluate(timeOf)).toBeGreaterThan(0.3);
});
