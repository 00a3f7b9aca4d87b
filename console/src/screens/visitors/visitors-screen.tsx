import "@/screens/visitors/visitors.css";
import { useNavigate, useSearch } from "@tanstack/react-router";
import { useState } from "react";
import { includes, useMe } from "@/features/session/me.ts";
import { FeedbackList } from "@/screens/visitors/feedback-list.tsx";
import { ReportList } from "@/screens/visitors/report-list.tsx";
import { Choice } from "@/shared/ui/choice.tsx";
import { useTitle } from "@/shared/ui/use-title.ts";

const KINDS = [
  { value: "reports", name: "举报" },
  { value: "feedback", name: "反馈" },
] as const;
const RANGES = [
  { value: "open", name: "待处理" },
  { value: "all", name: "全部" },
] as const;

type Kind = (typeof KINDS)[number]["value"];
type Range = (typeof RANGES)[number]["value"];

/** What visitors say: reports of videos, and feedback. */
export function VisitorsScreen() {
  useTitle("举报与反馈");
  const { kind: asked = "reports" } = useSearch({ from: "/shell/visitors" });
  const me = useMe();
  // What visitors wrote, and how to reach them, is not for everybody.
  const mayRead = me !== undefined && includes(me.role, "editor");
  const kind = mayRead ? asked : "reports";
  const navigate = useNavigate();
  const [range, setRange] = useState<Range>("open");
  const choose = (chosen: Kind) => {
    void navigate({ to: "/visitors", search: { kind: chosen }, replace: true });
  };
  return (
    <div className="page">
      <header className="page-head">
        <h1 className="page-title">举报与反馈</h1>
      </header>
      <div className="choices">
        {mayRead ? <Choice label="看什么" options={KINDS} value={kind} onChange={choose} /> : null}
        <Choice label="哪一些" options={RANGES} value={range} onChange={setRange} />
      </div>
      {kind === "reports" ? (
        <ReportList range={range} mayRead={mayRead} />
      ) : (
        <FeedbackList range={range} />
      )}
    </div>
  );
}
