import { type APIRequestContext, expect, type Locator, type Page } from "@playwright/test";

const ALPHABET = "0123456789abcdefghijklmnopqrstuvwxyz";

/** A data code that no other test has. */
export function freshCode(length = 12): string {
  return Array.from({ length }, () => ALPHABET[Math.floor(Math.random() * ALPHABET.length)]).join(
    "",
  );
}

/**
 * The page belongs to a data code from its first request on; a code that is changed there stays
 * changed.
 */
export async function beVisitor(page: Page, code: string): Promise<void> {
  await page.addInitScript((given) => {
    if (!localStorage.getItem("uuid")) localStorage.setItem("uuid", given);
  }, code);
}

/** Favourites a code's videos, the last one the newest, past every screen. */
export async function favourite(
  request: APIRequestContext,
  code: string,
  ids: readonly number[],
): Promise<void> {
  for (const id of ids) {
    const answer = await request.post("/api/favorites", {
      data: { id },
      headers: { "X-Visitor-Code": code },
    });
    expect(answer.status()).toBe(200);
  }
}

/** How many favourites the server knows of a code. */
export async function favouriteTotal(request: APIRequestContext, code: string): Promise<number> {
  const answer = await request.get("/api/favorites/total", { headers: { "X-Visitor-Code": code } });
  return (await answer.json()).rescont.total;
}

/** The message at the foot of the page. */
export function messageOf(page: Page): Locator {
  return page.locator(".message");
}
