import { IconAlertTriangle } from "@tabler/icons-react";
import { useId } from "react";
import { useConfig } from "@/shared/config/config.ts";
import type { FeedbackSubject } from "@/shared/feedback-desk.ts";
import { DIAGNOSTICS_TEXT } from "./diagnostics.ts";
import { contentLength, ISSUES, type Issue, LONGEST } from "./feedback-rules.ts";
import { Subject } from "./subject.tsx";
import { useFeedbackForm } from "./use-feedback-form.ts";

/** The feedback form (specification §2, §5). */
export function FeedbackForm({ subject }: { readonly subject: FeedbackSubject | null }) {
  const { version } = useConfig();
  const form = useFeedbackForm(subject?.id ?? null, version);
  const ids = useId();
  return (
    <form
      className="feedback"
      noValidate
      onSubmit={(event) => {
        event.preventDefault();
        void form.submit();
      }}
    >
      {subject && <Subject label="正在反馈的视频" subject={subject} />}
      <IssueChoice value={form.issue} onChange={form.setIssue} />
      <label className="feedback-label" htmlFor={`${ids}-content`}>
        详情描述
      </label>
      <div className="feedback-field" data-bad={form.problem !== null}>
        <textarea
          id={`${ids}-content`}
          rows={5}
          value={form.content}
          placeholder="请说说发生了什么，8 ~ 180 个字符"
          aria-invalid={form.problem !== null}
          aria-describedby={`${ids}-problem ${ids}-count`}
          onChange={(event) => form.setContent(event.target.value)}
        />
        <span id={`${ids}-count`} className="feedback-count">
          {contentLength(form.content)} / {LONGEST}
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
      <label className="feedback-consent">
        <input
          type="checkbox"
          checked={form.hasConsent}
          onChange={(event) => form.setConsent(event.target.checked)}
        />
        <span>
          附上诊断信息
          <small>{DIAGNOSTICS_TEXT}</small>
        </span>
      </label>
      <div className="feedback-dock">
        <button type="submit" className="button button-primary" aria-disabled={form.isSending}>
          {form.isSending ? "正在提交…" : "提交反馈"}
        </button>
      </div>
    </form>
  );
}

interface IssueChoiceProps {
  readonly value: Issue;
  readonly onChange: (issue: Issue) => void;
}

function IssueChoice({ value, onChange }: IssueChoiceProps) {
  return (
    <fieldset className="feedback-issues">
      <legend className="feedback-label">问题类型</legend>
      {ISSUES.map((issue) => (
        <label key={issue}>
          <input
            type="radio"
            name="issue"
            checked={issue === value}
            onChange={() => onChange(issue)}
          />
          <span>{issue}</span>
        </label>
      ))}
    </fieldset>
  );
}
