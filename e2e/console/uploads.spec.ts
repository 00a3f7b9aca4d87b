import { readFileSync, writeFileSync } from "node:fs";
import type { Page } from "@playwright/test";
import { expect, expectAccessible, logIn, openPage, test } from "../fixtures/console.ts";
import { makeClip, serveSite, startWorker } from "../fixtures/uploads.ts";

const SUBTITLES = "1\n00:00:00,000 --> 00:00:02,000\n海边\n";

const HALF = 200_000;
const BYTES = { "tus-resumable": "1.0.0", "content-type": "application/offset+octet-stream" };

const timeOf = (element: Element) => (element as HTMLVideoElement).currentTime;

/** How much the server has of the unfinished film. */
async function received(page: Page): Promise<number> {
  const answer = await page.request.get("/api/uploads");
  const { rescont } = (await answer.json()) as {
    rescont: { data: { state: string; name: string; received: number }[] };
  };
  const film = rescont.data.find(
    ({ name, state }) => name === "海边的浪.mp4" && state === "arriving",
  );
  return film?.received ?? 0;
}

test("a film is uploaded from a phone, cut off half way, goes on, is encoded and plays", async ({
  page,
  context,
  expected,
}, info) => {
  test.setTimeout(180_000);
  expected.allow(/Failed to load resource|net::ERR/);
  const clip = makeClip(info.outputPath("海边的浪.mp4"), 700);
  const subtitles = info.outputPath("海边的浪.zh.srt");
  writeFileSync(subtitles, SUBTITLES);
  await logIn(page, "editor", "小王");
  // One tap from the overview.
  await openPage(page, "上传");
  await expectAccessible(page);
  // Half of the film arrives; then its request hangs, as on a line that broke. The subtitles come
  // before.
  const content = readFileSync(clip);
  let requests = 0;
  await page.route("**/api/uploads/*", async (route) => {
    if (route.request().method() !== "PATCH") return route.fallback();
    requests += 1;
    if (requests === 1) return route.fallback();
    await page.request.fetch(route.request().url(), {
      method: "PATCH",
      headers: { ...BYTES, origin: new URL(page.url()).origin, "upload-offset": "0" },
      data: content.subarray(0, HALF),
    });
  });
  const chosen = page.waitForEvent("filechooser");
  await page.getByRole("button", { name: "选择视频" }).click();
  await (await chosen).setFiles([clip, subtitles]);
  const row = page.getByRole("listitem").filter({ hasText: "海边的浪" });
  await expect(row.getByText("上传中")).toBeVisible();
  await row.getByRole("button", { name: "填写" }).click();
  const dialog = page.getByRole("dialog", { name: "视频的信息" });
  await dialog.getByLabel(/标题/).fill("手机上传的浪");
  await dialog.getByLabel(/标签/).fill("手机、海");
  await expectAccessible(page);
  await dialog.getByRole("button", { name: "保存" }).click();
  await expect(dialog).toBeHidden();
  await expect(row.getByRole("button", { name: "暂停" })).toBeVisible();
  await expect.poll(() => received(page)).toBe(HALF);
  await page.unroute("**/api/uploads/*");
  await page.reload();
  const rest = page.getByRole("listitem").filter({ hasText: "手机上传的浪" });
  await expect(rest.getByText("未传完")).toBeVisible();
  await expectAccessible(page);
  // Another file is refused; the same one goes on.
  const wrong = page.waitForEvent("filechooser");
  await rest.getByRole("button", { name: "继续" }).click();
  await (await wrong).setFiles(subtitles);
  await expect(page.getByText("这不是同一个文件", { exact: false })).toBeVisible();
  const right = page.waitForEvent("filechooser");
  await rest.getByRole("button", { name: "继续" }).click();
  await (await right).setFiles(clip);
  await expect(rest.getByText("等待处理")).toBeVisible({ timeout: 60_000 });
  const worker = startWorker();
  try {
    await expect(rest.getByText("已完成")).toBeVisible({ timeout: 90_000 });
  } finally {
    await worker.stop();
  }
  await expectAccessible(page);
  await rest.getByRole("link", { name: /查看视频/ }).click();
  await expect(page.getByRole("heading", { level: 1, name: "手机上传的浪" })).toBeVisible();
  const id = new URL(page.url()).pathname.split("/").at(-1);
  // What arrived plays on the visitors' site, with its subtitles.
  const site = await serveSite();
  try {
    const visitor = await context.newPage();
    await visitor.goto(`${site.address}/playVideo?id=${id}`);
    await expect(visitor.getByText("手机上传的浪").first()).toBeVisible();
    await expect.poll(() => visitor.locator("video").first().evaluate(timeOf)).toBeGreaterThan(0.3);
    await visitor.close();
  } finally {
    await site.stop();
  }
});

test("several are dropped at once, two are sent at a time, paused, gone on with and cancelled", async ({
  page,
}) => {
  await logIn(page, "editor", "小王");
  await page.goto("/uploads");
  await expect(page.getByRole("heading", { level: 1, name: "上传" })).toBeVisible();
  // Nothing arrives: nobody imports what is no film.
  await page.route("**/api/uploads/*", (route) =>
    route.request().method() === "PATCH" ? undefined : route.fallback(),
  );
  await page.evaluate(() => {
    const data = new DataTransfer();
    for (const name of ["第一部.mp4", "第二部.mkv", "第三部.mp4", "说明.txt"])
      data.items.add(new File([new Uint8Array(60_000)], name, { lastModified: 1 }));
    window.dispatchEvent(new DragEvent("drop", { dataTransfer: data, cancelable: true }));
  });
  await expect(page.getByRole("alert").filter({ hasText: "说明.txt" })).toBeVisible();
  const rowOf = (name: string) => page.getByRole("listitem").filter({ hasText: name });
  await expect(rowOf("第二部").getByText("上传中")).toBeVisible();
  await expect(rowOf("第三部").getByText("排队")).toBeVisible();
  await rowOf("第一部").getByRole("button", { name: "暂停" }).click();
  await expect(rowOf("第一部").getByText("已暂停")).toBeVisible();
  await expect(rowOf("第三部").getByText("上传中")).toBeVisible();
  await rowOf("第一部").getByRole("button", { name: "继续" }).click();
  await expect(rowOf("第一部").getByText("排队")).toBeVisible();
  await expectAccessible(page);
  for (const name of ["第一部", "第三部", "第二部"]) {
    await rowOf(name).getByRole("button", { name: "取消" }).click();
    await page.getByRole("dialog").getByRole("button", { name: "取消上传" }).click();
    await expect(rowOf(name)).toHaveCount(0);
  }
});

test("an upload that was begun elsewhere is listed, and given up after a question", async ({
  page,
}) => {
  await logIn(page, "editor", "小王");
  await page.goto("/uploads");
  await page.evaluate(async () => {
    const name = btoa(String.fromCharCode(...new TextEncoder().encode("别处开始.mp4")));
    await fetch("/api/uploads", {
      method: "POST",
      headers: {
        "tus-resumable": "1.0.0",
        "upload-length": "1000",
        "upload-metadata": `filename ${name}`,
      },
    });
  });
  const row = page.getByRole("listitem").filter({ hasText: "别处开始" });
  await expect(row.getByText("未传完")).toBeVisible();
  await row.getByRole("button", { name: "取消" }).click();
  const dialog = page.getByRole("dialog", { name: "取消上传" });
  await expectAccessible(page);
  await dialog.getByRole("button", { name: "取消上传" }).click();
  await expect(row).toHaveCount(0);
});

test("what is no film is told by the server, too", async ({ page, expected }, info) => {
  expected.allow(/status of 422/);
  await logIn(page, "editor", "小王");
  await page.goto("/uploads");
  const described = info.outputPath("坏说明.json");
  writeFileSync(described, '{"titel": "x"}');
  const chosen = page.waitForEvent("filechooser");
  await page.getByRole("button", { name: "选择视频" }).click();
  const film = info.outputPath("坏说明.mp4");
  writeFileSync(film, Buffer.alloc(5000));
  await (await chosen).setFiles([film, described]);
  const row = page.getByRole("listitem").filter({ hasText: "坏说明.mp4" });
  await expect(row.getByRole("alert")).toContainText("不认识的项目 titel");
  await row.getByRole("button", { name: "取消" }).click();
  await page.getByRole("dialog").getByRole("button", { name: "取消上传" }).click();
  await expect(row).toHaveCount(0);
});

test("a viewer has no such page", async ({ page }) => {
  await logIn(page, "viewer", "看客");
  await expect(page.getByRole("link", { name: "上传" })).toHaveCount(0);
  const answer = await page.request.get("/api/uploads");
  expect(answer.status()).toBe(403);
});
