import { create } from "zustand";
import type { Video } from "./api/model.ts";
import { openLayer } from "./navigation/history.ts";

/** The video that feedback is about. */
export type FeedbackSubject = Pick<Video, "id" | "title" | "cover">;

interface FeedbackDesk {
  readonly isOpen: boolean;
  /** Null for feedback about the site. */
  readonly subject: FeedbackSubject | null;
}

/** Whether the feedback form is open, and what it is about. */
export const useFeedbackDesk = create<FeedbackDesk>(() => ({ isOpen: false, subject: null }));

let goBack: () => void = () => {};

/** Open the form over the page; the browser's back button closes it. */
export function openFeedback(subject: FeedbackSubject | null): void {
  if (useFeedbackDesk.getState().isOpen) return;
  goBack = openLayer(() => useFeedbackDesk.setState({ isOpen: false }));
  useFeedbackDesk.setState({ isOpen: true, subject });
}

export function closeFeedback(): void {
  if (useFeedbackDesk.getState().isOpen) goBack();
}
