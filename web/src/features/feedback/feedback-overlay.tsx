import "./feedback.css";
import { useState } from "react";
import { closeFeedback, useFeedbackDesk } from "@/shared/feedback-desk.ts";
import { Overlay } from "@/shared/ui/overlay.tsx";
import { Segments } from "@/shared/ui/segments.tsx";
import { FeedbackForm } from "./feedback-form.tsx";
import { ReceiptPanel } from "./receipt-panel.tsx";
import { ReportForm } from "./report-form.tsx";

type Part = "feedback" | "report" | "receipt";

const FEEDBACK = { value: "feedback", name: "反馈问题" } as const;
const REPORT = { value: "report", name: "举报视频" } as const;
const RECEIPT = { value: "receipt", name: "举报结果" } as const;

/**
 * Feedback (specification §2, §5), the report of a video and what became of one
 * (docs/product.md#reports), over the whole screen.
 */
export function FeedbackOverlay() {
  const subject = useFeedbackDesk((desk) => desk.subject);
  const [part, setPart] = useState<Part>("feedback");
  return (
    <Overlay title="意见反馈" onClose={closeFeedback}>
      <div className="feedback-parts">
        <Segments<Part>
          label="内容"
          options={subject ? [FEEDBACK, REPORT, RECEIPT] : [FEEDBACK, RECEIPT]}
          value={part}
          onChange={setPart}
        />
      </div>
      {part === "feedback" && <FeedbackForm subject={subject} />}
      {part === "report" && subject && <ReportForm subject={subject} />}
      {part === "receipt" && <ReceiptPanel />}
    </Overlay>
  );
}
