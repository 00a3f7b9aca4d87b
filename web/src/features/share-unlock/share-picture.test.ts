// @vitest-environment happy-dom
import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { sharePicture } from "./share-picture.ts";

const FILE = new File(["x"], "poster.png", { type: "image/png" });
const click = vi.fn();

function sharing(share: () => Promise<void>, isTouch = true, canShare = true) {
  vi.stubGlobal("matchMedia", () => ({ matches: isTouch }));
  vi.stubGlobal("navigator", { canShare: () => canShare, share: vi.fn(share) });
}

beforeEach(() => {
  click.mockReset();
  vi.spyOn(HTMLAnchorElement.prototype, "click").mockImplementation(click);
  vi.spyOn(console, "info").mockImplementation(() => {});
  vi.spyOn(URL, "createObjectURL").mockReturnValue("blob:x");
});
afterEach(() => {
  vi.unstubAllGlobals();
  vi.restoreAllMocks();
});

it("gives the file to the system's sheet", async () => {
  sharing(async () => {});
  expect(await sharePicture(FILE)).toBe("shared");
  expect(navigator.share).toHaveBeenCalledWith({ files: [FILE] });
  expect(click).not.toHaveBeenCalled();
});

it("takes a closed sheet for a decision", async () => {
  sharing(() => Promise.reject(new DOMException("", "AbortError")));
  expect(await sharePicture(FILE)).toBe("dismissed");
  expect(click).not.toHaveBeenCalled();
});

it.each([
  ["the sheet fails", true, true],
  ["the sheet takes no files", true, false],
  ["a mouse is used", false, true],
])("saves a file where %s", async (_, isTouch, canShare) => {
  sharing(() => Promise.reject(new DOMException("", "NotAllowedError")), isTouch, canShare);
  expect(await sharePicture(FILE)).toBe("saved");
  expect(click).toHaveBeenCalledOnce();
});
