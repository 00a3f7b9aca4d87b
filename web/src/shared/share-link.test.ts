import { expect, it, vi } from "vitest";
import { shareLink } from "./share-link.ts";

const refuse = () => Promise.reject(new DOMException("no", "NotAllowedError"));
const share = (abilities: Partial<Parameters<typeof shareLink>[2]>) =>
  shareLink("标题", "https://site.test/playVideo?id=7", {
    copyBySelection: () => false,
    ...abilities,
  });

it("prefers the system's sheet", async () => {
  const sheet = vi.fn(() => Promise.resolve());
  expect(await share({ share: sheet })).toBe("shared");
  expect(sheet).toHaveBeenCalledWith({ title: "标题", url: "https://site.test/playVideo?id=7" });
});

it("does not copy behind the back of a visitor who closed the sheet", async () => {
  const writeText = vi.fn(() => Promise.resolve());
  expect(
    await share({ share: () => Promise.reject(new DOMException("", "AbortError")), writeText }),
  ).toBe("dismissed");
  expect(writeText).not.toHaveBeenCalled();
});

it("copies where there is no sheet or it is refused, the old way where the clipboard is refused", async () => {
  expect(await share({ writeText: () => Promise.resolve() })).toBe("copied");
  expect(await share({ share: refuse, writeText: () => Promise.resolve() })).toBe("copied");
  expect(await share({ writeText: refuse, copyBySelection: () => true })).toBe("copied");
  expect(await share({ copyBySelection: () => true })).toBe("copied");
});

it("says so when nothing works", async () => {
  expect(await share({ writeText: refuse })).toBe("failed");
  expect(await share({})).toBe("failed");
});
