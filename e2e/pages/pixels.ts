import type { Locator, Page } from "@playwright/test";

/**
 * The share of an element's pixels that are neither grey nor pale: the test's clips are vivid, what
 * stands for them is not.
 */
export async function vividShare(page: Page, element: Locator): Promise<number> {
  const picture = await element.screenshot();
  return page.evaluate(async (bytes) => {
    const data = Uint8Array.from(atob(bytes), (sign) => sign.charCodeAt(0));
    const bitmap = await createImageBitmap(new Blob([data], { type: "image/png" }));
    const pen = new OffscreenCanvas(bitmap.width, bitmap.height).getContext("2d");
    if (!pen) throw new Error("no canvas");
    pen.drawImage(bitmap, 0, 0);
    const { data: all } = pen.getImageData(0, 0, bitmap.width, bitmap.height);
    let vivid = 0;
    for (let at = 0; at < all.length; at += 4) {
      const parts = all.subarray(at, at + 3);
      if (Math.max(...parts) - Math.min(...parts) > 100) vivid += 1;
    }
    return (4 * vivid) / all.length;
  }, picture.toString("base64"));
}
