import { useRef, useState } from "react";
import { ApiError } from "@/shared/api/client.ts";
import { type Reason, sendReport } from "@/shared/api/report-calls.ts";
import { TEXT } from "@/shared/messages/texts.ts";
import { REASONS, reportProblem } from "./report-rules.ts";

const ABSENT = 404;
const TOO_OFTEN = 429;

/**
 * What to say of a failed call.
 *
 * @param absentText - Where what was asked for is not there.
 */
export function failureText(error: unknown, absentText: string): string {
  const code = error instanceof ApiError ? error.code : 0;
  if (code === ABSENT) return absentText;
  return code === TOO_OFTEN ? TEXT.tooOften : TEXT.networkError;
}

/** The report form's state and what submitting does. The text stays where sending fails. */
export function useReportForm(videoId: number) {
  const [reason, setReason] = useState<Reason>(REASONS[0] ?? "其他");
  const [content, setContent] = useState("");
  const [contact, setContact] = useState("");
  const [problem, setProblem] = useState<string | null>(null);
  const [receipt, setReceipt] = useState<string | null>(null);
  const [isSending, setSending] = useState(false);
  const isUnderWay = useRef(false);

  const submit = async () => {
    if (isUnderWay.current) return;
    const found = reportProblem(reason, content);
    setProblem(found);
    if (found) return;
    isUnderWay.current = true;
    setSending(true);
    try {
      const said = { reason, content: content.trim(), contact: contact.trim() };
      setReceipt(await sendReport({ videoId, ...said }));
    } catch (error) {
      console.info(error);
      setProblem(failureText(error, TEXT.reportGone));
    }
    isUnderWay.current = false;
    setSending(false);
  };
  return {
    reason,
    content,
    contact,
    problem,
    receipt,
    isSending,
    setReason: (chosen: Reason) => {
      setReason(chosen);
      setProblem(null);
    },
    setContent: (text: string) => {
      setContent(text);
      setProblem(null);
    },
    setContact,
    submit,
  };
}
