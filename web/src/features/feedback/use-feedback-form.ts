import { useRef, useState } from "react";
import { create } from "zustand";
import { sendFeedback } from "@/shared/api/personal-calls.ts";
import { closeFeedback } from "@/shared/feedback-desk.ts";
import { showMessage } from "@/shared/messages/message-store.ts";
import { TEXT } from "@/shared/messages/texts.ts";
import { collectDiagnostics, surroundingsNow } from "./diagnostics.ts";
import { contentProblem, ISSUES, type Issue } from "./feedback-rules.ts";

interface Draft {
  readonly issue: Issue;
  readonly content: string;
}

const EMPTY: Draft = { issue: ISSUES[0], content: "" };

/** Text not sent yet; it outlives a form that was closed by accident. */
const useDraft = create<Draft>(() => EMPTY);

/** The player's current state; its code is already loaded wherever anything plays. */
async function diagnosticsNow(videoId: number | null, version: string) {
  const { currentPlayback } = await import("@/player/session-slot.ts");
  return collectDiagnostics(surroundingsNow(version), videoId === null ? null : currentPlayback());
}

/** The form's state and what submitting does. The text stays where sending fails. */
export function useFeedbackForm(videoId: number | null, version: string) {
  const { issue, content } = useDraft();
  const [problem, setProblem] = useState<string | null>(null);
  const [hasConsent, setConsent] = useState(false);
  const [isSending, setSending] = useState(false);
  const isUnderWay = useRef(false);

  const send = async () => {
    const diagnostics = hasConsent ? await diagnosticsNow(videoId, version) : null;
    return await sendFeedback({ title: issue, content: content.trim(), videoId, diagnostics });
  };
  const submit = async () => {
    if (isUnderWay.current) return;
    const found = contentProblem(content);
    setProblem(found);
    if (found) return;
    isUnderWay.current = true;
    setSending(true);
    try {
      const thanks = await send();
      useDraft.setState(EMPTY);
      closeFeedback();
      showMessage(thanks || TEXT.feedbackSent);
    } catch (error) {
      console.info(error);
      setProblem(TEXT.networkError);
    }
    isUnderWay.current = false;
    setSending(false);
  };
  return {
    issue,
    content,
    problem,
    hasConsent,
    isSending,
    setIssue: (chosen: Issue) => useDraft.setState({ issue: chosen }),
    setContent: (text: string) => {
      useDraft.setState({ content: text });
      setProblem(null);
    },
    setConsent,
    submit,
  };
}
