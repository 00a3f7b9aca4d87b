import { expect, it, vi } from "vitest";
import { offerFeedback, useFeedbackDesk } from "./feedback-desk.ts";

it("passes the video on to whoever takes feedback, and is closed without him", () => {
  expect(useFeedbackDesk.getState().open).toBeNull();
  const open = vi.fn<(videoId: number | null) => void>();
  const end = offerFeedback(open);
  useFeedbackDesk.getState().open?.(7);
  expect(open).toHaveBeenCalledWith(7);
  end();
  expect(useFeedbackDesk.getState().open).toBeNull();
});
