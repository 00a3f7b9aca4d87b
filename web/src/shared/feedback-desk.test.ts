// @vitest-environment happy-dom
import { expect, it, vi } from "vitest";
import { closeFeedback, openFeedback, useFeedbackDesk } from "./feedback-desk.ts";

const subject = { id: 7, title: "海边", cover: { url: "", jpeg: null, thumb: null } };

it("opens the form about a video, once, and the browser's back closes it", async () => {
  const before = window.history.length;
  openFeedback(subject);
  openFeedback(null);
  expect(useFeedbackDesk.getState()).toEqual({ isOpen: true, subject });
  expect(window.history.length).toBe(before + 1);
  window.dispatchEvent(new PopStateEvent("popstate"));
  expect(useFeedbackDesk.getState().isOpen).toBe(false);
});

it("closes by going back, so that no entry is left behind", () => {
  const back = vi.spyOn(window.history, "back").mockImplementation(() => {});
  closeFeedback();
  expect(back).not.toHaveBeenCalled();
  openFeedback(null);
  closeFeedback();
  expect(back).toHaveBeenCalledOnce();
});
