import { create } from "zustand";

/** Opens the feedback form, about a video or about none. */
export type OpenFeedback = (videoId: number | null) => void;

/** Who takes feedback; null while nobody does, and then nobody offers it. */
export const useFeedbackDesk = create<{ readonly open: OpenFeedback | null }>(() => ({ open: null }));

/**
 * Say who opens the form: whoever draws it, while it can be drawn.
 *
 * @returns A function that ends it.
 * @public
 */
export function offerFeedback(open: OpenFeedback): () => void {
  useFeedbackDesk.setState({ open });
  return () => useFeedbackDesk.setState({ open: null });
}
