import type { ReactNode } from "react";
import { TEXT } from "@/shared/messages/texts.ts";
import type { QueryResult } from "@/shared/server-state/use-query.ts";
import { StatePanel } from "@/shared/ui/state-panel.tsx";

interface WaitingDataProps<T> {
  readonly query: Pick<QueryResult<T>, "data" | "isError" | "refetch">;
  readonly children: (data: T) => ReactNode;
}

/**
 * Draws a response once it has arrived; until then an empty place, and a button to retry after a
 * failure.
 */
export function WaitingData<T>({ query, children }: WaitingDataProps<T>) {
  const { data, isError, refetch } = query;
  if (data !== undefined) return children(data);
  if (!isError) return <div className="screen-wait" role="status" aria-label="正在加载" />;
  return (
    <StatePanel
      title="没有加载出来"
      text="网络不太稳定，请稍后再试。"
      action={
        <button type="button" className="button button-primary" onClick={() => void refetch()}>
          {TEXT.listFailed}
        </button>
      }
    />
  );
}
