"use no memo"; // Rendered too rarely for memoization to be worth its bytes in the first bundle.

import { type ComponentType, useEffect, useState } from "react";
import { closeFeedback, useFeedbackDesk } from "@/shared/feedback-desk.ts";
import { loadCode } from "@/shared/load-code.ts";
import { CORE_TEXT } from "@/shared/messages/core-texts.ts";
import { showMessage } from "@/shared/messages/message-store.ts";

/** The feedback form over the screen that opened it. Its code is loaded when it is first opened. */
export function FeedbackLayer() {
  const isOpen = useFeedbackDesk((desk) => desk.isOpen);
  const [Overlay, setOverlay] = useState<ComponentType | null>(null);
  useEffect(() => {
    if (!isOpen || Overlay) return;
    loadCode(() => import("@/features/feedback/feedback-overlay.tsx")).then(
      ({ FeedbackOverlay }) => setOverlay(() => FeedbackOverlay),
      (error: unknown) => {
        console.warn(error);
        closeFeedback();
        showMessage(CORE_TEXT.networkError);
      },
    );
  }, [isOpen, Overlay]);
  return isOpen && Overlay && <Overlay />;
}
