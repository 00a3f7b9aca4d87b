import { gzipSync } from "node:zlib";
import { PHONE } from "./dependencies.mjs";

const PAGES = 5;

/**
 * Addresses of the scripts that a document or a module loads before it runs; `import()` comes
 * later.
 */
function scriptsOf(text, isDocument) {
  const pattern = isDocument
    ? /(?:<script[^>]*\ssrc|<link[^>]*rel="modulepreload"[^>]*\shref)="([^"]+\.js)"/g
    : /(?:^|[;}\s])(?:import|export)\s*(?:[\w*${}\s,]+?from)?\s*"(\.[^"]+\.js)"/g;
  return [...text.matchAll(pattern)].map(([, address]) => address);
}

/** Bytes, compressed by gzip, of all JavaScript that home's document needs before it runs. */
export async function measureScripts(url) {
  const open = scriptsOf(await (await fetch(`${url}/home`)).text(), true).map((address) => new URL(address, url).href);
  const sizes = new Map();
  while (open.length > 0) {
    const address = open.pop();
    if (sizes.has(address)) continue;
    const text = await (await fetch(address)).text();
    sizes.set(address, gzipSync(text, { level: 9 }).length);
    open.push(...scriptsOf(text, false).map((found) => new URL(found, address).href));
  }
  return [...sizes.values()].reduce((sum, size) => sum + size, 0);
}

const countNodes = (page) => page.evaluate(() => document.querySelectorAll("*").length);

/** Elements in the document of an idle home. */
export async function measureHomeNodes(browser, url) {
  const page = await (await browser.newContext(PHONE)).newPage();
  await page.goto(`${url}/home`, { waitUntil: "networkidle" });
  const nodes = await countNodes(page);
  await page.context().close();
  return nodes;
}

/**
 * Elements in the document of a list that was opened by its address and scrolled to its fifth page.
 */
export async function measureListNodes(browser, url) {
  const page = await (await browser.newContext(PHONE)).newPage();
  await page.goto(`${url}/list?typeId=0&orderby=new`, { waitUntil: "networkidle" });
  const pill = page.locator(".page-pill");
  const isThere = async () => Number.parseInt(await pill.innerText(), 10) === PAGES;
  for (let screens = 0; screens < 60 && !(await isThere()); screens += 1) {
    await page.evaluate(() => scrollBy(0, innerHeight));
    await page.waitForLoadState("networkidle");
    await page.evaluate(() => new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve))));
  }
  if (!(await isThere())) throw new Error(`the list has no page ${PAGES}`);
  const nodes = await countNodes(page);
  await page.context().close();
  return nodes;
}
