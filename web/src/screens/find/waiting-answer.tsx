import type { ReactNode } from "react";
import type { Answer } from "@/shared/answers/answer-store.ts";
import { TEXT } from "@/shared/messages/texts.ts";
import { StatePanel } from "@/shared/ui/state-panel.tsx";

interface WaitingAnswerProps<T> {
  readonly answer: Answer<T> & { readonly retry: () => void };
  readonly children: (data: T) => ReactNode;
}

/**
 * Draws an answer when it has come; until then nothing but its place, and one tap to ask again
 * after a failure.
 */
export function WaitingAnswer<T>({ answer, children }: WaitingAnswerProps<T>) {
  const { data, isError, retry } = answer;
  if (data !== undefined) return children(data);
  if (!isError) return <div className="screen-wait" role="status" aria-label="正在加载" />;
  return (
    <StatePanel
      title="没有加载出来"
      text="网络不太稳定，请稍后再试。"
      action={
        <button type="button" className="button button-primary" onClick={retry}>
          {TEXT.listFailed}
        </button>
      }
    />
  );
}
