import { IconAlertTriangle, IconCircleCheck, IconCopy } from "@tabler/icons-react";
import { useId } from "react";
import type { Reason } from "@/shared/api/report-calls.ts";
import type { FeedbackSubject } from "@/shared/feedback-desk.ts";
import { showMessage } from "@/shared/messages/message-store.ts";
import { TEXT } from "@/shared/messages/texts.ts";
import { copyText, shareAbilities } from "@/shared/share-link.ts";
import { contentLength } from "./feedback-rules.ts";
import { groupedReceipt, LONGEST_CONTACT, LONGEST_REPORT, REASONS } from "./report-rules.ts";
import { Subject } from "./subject.tsx";
import { useReportForm } from "./use-report-form.ts";

/** Reporting a video, without an account; the answer is a receipt. */
export function ReportForm({ subject }: { readonly subject: FeedbackSubject }) {
  const form = useReportForm(subject.id);
  const ids = useId();
  if (form.receipt) return <Receipt receipt={form.receipt} />;
  return (
    <form
      className="feedback"
      noValidate
      onSubmit={(event) => {
        event.preventDefault();
        void form.submit();
      }}
    >
      <Subject label="要举报的视频" subject={subject} />
      <ReasonChoice value={form.reason} onChange={form.setReason} />
      <label className="feedback-label" htmlFor={`${ids}-content`}>
        说明{form.reason === "其他" ? "" : "（选填）"}
      </label>
      <div className="feedback-field" data-bad={form.problem !== null}>
        <textarea
          id={`${ids}-content`}
          rows={4}
          value={form.content}
          placeholder="哪一段、哪里不妥；版权投诉请写明权利人"
          aria-invalid={form.problem !== null}
          aria-describedby={`${ids}-problem ${ids}-count`}
          onChange={(event) => form.setContent(event.target.value)}
        />
        <span id={`${ids}-count`} className="feedback-count">
          {contentLength(form.content)} / {LONGEST_REPORT}
        </span>
      </div>
      <p id={`${ids}-problem`} className="feedback-problem" role="alert">
        {form.problem && (
          <>
            <IconAlertTriangle size={16} stroke={2} aria-hidden="true" />
            {form.problem}
          </>
        )}
      </p>
      <label className="feedback-label" htmlFor={`${ids}-contact`}>
        联系方式（选填）
      </label>
      <div className="feedback-field">
        <input
          id={`${ids}-contact`}
          value={form.contact}
          maxLength={LONGEST_CONTACT}
          autoComplete="off"
          placeholder="邮箱或电话，只给站点看"
          onChange={(event) => form.setContact(event.target.value)}
        />
      </div>
      <p className="feedback-hint">举报不需要登录，也不会记下您是谁。</p>
      <div className="feedback-dock">
        <button type="submit" className="button button-primary" aria-disabled={form.isSending}>
          {form.isSending ? "正在提交…" : "提交举报"}
        </button>
      </div>
    </form>
  );
}

interface ReasonChoiceProps {
  readonly value: Reason;
  readonly onChange: (reason: Reason) => void;
}

function ReasonChoice({ value, onChange }: ReasonChoiceProps) {
  return (
    <fieldset className="feedback-issues is-wide">
      <legend className="feedback-label">举报原因</legend>
      {REASONS.map((reason) => (
        <label key={reason}>
          <input
            type="radio"
            name="reason"
            checked={reason === value}
            onChange={() => onChange(reason)}
          />
          <span>{reason}</span>
        </label>
      ))}
    </fieldset>
  );
}

/** Shown once: nobody can tell it again. */
function Receipt({ receipt }: { readonly receipt: string }) {
  const shown = groupedReceipt(receipt);
  const copy = async () => {
    const isCopied = await copyText(shown, shareAbilities());
    showMessage(isCopied ? TEXT.receiptCopied : TEXT.receiptCopyFailed);
  };
  return (
    <div className="feedback">
      <div className="receipt" role="status">
        <IconCircleCheck size={40} stroke={1.5} aria-hidden="true" />
        <h2>举报已提交，感谢您的监督</h2>
        <output aria-label="回执">{shown}</output>
        <p>凭这个回执可以在「举报结果」里查询处理情况。它只显示这一次，请记下或复制。</p>
        <button type="button" className="button" onClick={() => void copy()}>
          <IconCopy size={18} stroke={1.75} aria-hidden="true" />
          复制回执
        </button>
      </div>
    </div>
  );
}
