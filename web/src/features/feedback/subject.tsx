import { Cover } from "@/shared/covers/cover.tsx";
import type { FeedbackSubject } from "@/shared/feedback-desk.ts";

interface SubjectProps {
  readonly label: string;
  readonly subject: FeedbackSubject;
}

/** The video that a form is about. */
export function Subject({ label, subject }: SubjectProps) {
  return (
    <>
      <p className="feedback-label">{label}</p>
      <div className="feedback-subject">
        <Cover picture={subject.cover} ratio="grid" />
        <span>{subject.title}</span>
      </div>
    </>
  );
}
