import type { UseQueryResult } from "@tanstack/react-query";
import type { ReactNode } from "react";
import { CallError } from "@/shared/api/call.ts";

/** What stands where data are awaited, where they could not be had, and the data themselves. */
export function Loaded<T>({
  query,
  children,
}: {
  readonly query: UseQueryResult<T>;
  readonly children: (data: T) => ReactNode;
}) {
  if (query.data !== undefined) return children(query.data);
  if (query.error)
    return (
      <div className="state" role="alert">
        <p>{query.error.message}</p>
        {isRefused(query.error) ? null : (
          <button
            type="button"
            className="button button-small"
            onClick={() => {
              void query.refetch();
            }}
          >
            重试
          </button>
        )}
      </div>
    );
  return (
    <div className="placeholder" role="status">
      <span className="sr-only">正在加载</span>
    </div>
  );
}

/** Whether asking again would be refused again: the role is not enough. */
function isRefused(error: Error): boolean {
  return error instanceof CallError && error.status === 403;
}

/** Where a list has nothing. */
export function Empty({ children }: { readonly children: ReactNode }) {
  return <p className="state">{children}</p>;
}
