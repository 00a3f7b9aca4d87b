import { IconAlertTriangle } from "@tabler/icons-react";
import { useId, useState } from "react";
import { askReceipt } from "@/shared/api/report-calls.ts";
import { TEXT } from "@/shared/messages/texts.ts";
import { failureText } from "./use-report-form.ts";

/** What became of a report: the receipt tells, and nothing else is said. */
export function ReceiptPanel() {
  const ids = useId();
  const [receipt, setReceipt] = useState("");
  const [problem, setProblem] = useState<string | null>(null);
  const [answer, setAnswer] = useState<string | null>(null);
  const [isAsking, setAsking] = useState(false);

  const ask = async () => {
    if (isAsking) return;
    setAnswer(null);
    if (!receipt.trim()) {
      setProblem(TEXT.receiptUnknown);
      return;
    }
    setAsking(true);
    try {
      setAnswer(await askReceipt(receipt.trim()));
    } catch (error) {
      console.info(error);
      setProblem(failureText(error, TEXT.receiptUnknown));
    }
    setAsking(false);
  };
  return (
    <form
      className="feedback"
      noValidate
      onSubmit={(event) => {
        event.preventDefault();
        void ask();
      }}
    >
      <label className="feedback-label" htmlFor={`${ids}-receipt`}>
        举报回执
      </label>
      <div className="feedback-field" data-bad={problem !== null}>
        <input
          id={`${ids}-receipt`}
          value={receipt}
          maxLength={40}
          autoComplete="off"
          autoCapitalize="characters"
          spellCheck={false}
          placeholder="例如 7K3M-9QTA-V2XD"
          aria-invalid={problem !== null}
          aria-describedby={`${ids}-problem`}
          onChange={(event) => {
            setReceipt(event.target.value);
            setProblem(null);
          }}
        />
      </div>
      <p id={`${ids}-problem`} className="feedback-problem" role="alert">
        {problem && (
          <>
            <IconAlertTriangle size={16} stroke={2} aria-hidden="true" />
            {problem}
          </>
        )}
      </p>
      <div role="status">
        {answer && (
          <div className="receipt receipt-answer">
            <h2>{answer}</h2>
          </div>
        )}
      </div>
      <div className="feedback-dock">
        <button type="submit" className="button button-primary" aria-disabled={isAsking}>
          {isAsking ? "正在查询…" : "查询"}
        </button>
      </div>
    </form>
  );
}
