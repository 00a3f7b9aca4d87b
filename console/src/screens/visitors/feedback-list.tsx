import { useInfiniteQuery, useMutation, useQueryClient } from "@tanstack/react-query";
import { FEEDBACK_STATES } from "@/screens/visitors/states.ts";
import { call } from "@/shared/api/call.ts";
import type { Feedback, FeedbackPage, FeedbackState } from "@/shared/api/types.ts";
import { ago } from "@/shared/format/moment.ts";
import { Choice } from "@/shared/ui/choice.tsx";
import { Empty, Loaded } from "@/shared/ui/state.tsx";

const OPTIONS = Object.entries(FEEDBACK_STATES).map(([value, name]) => ({
  value: value as FeedbackState,
  name,
}));

/** Feedback, newest first, each with how far it is. */
export function FeedbackList({ range }: { readonly range: "open" | "all" }) {
  const found = useInfiniteQuery({
    queryKey: ["feedback", range],
    queryFn: ({ pageParam, signal }) => {
      const before = pageParam === null ? "" : `&before=${pageParam}`;
      return call<FeedbackPage>(`/api/feedback?which=${range}${before}`, { signal });
    },
    initialPageParam: null as number | null,
    getNextPageParam: (last) => last.next_before,
  });
  return (
    <Loaded query={found}>
      {({ pages }) => {
        const all = pages.flatMap(({ data }) => data);
        if (all.length === 0)
          return <Empty>{range === "open" ? "没有待处理的反馈" : "还没有反馈"}</Empty>;
        return (
          <section className="card" aria-label="反馈">
            <p className="row-meta">共 {pages[0]?.total} 条</p>
            <ul className="rows">
              {all.map((one) => (
                <li key={one.id} className="said">
                  <FeedbackText feedback={one} />
                  <StateChoice feedback={one} />
                </li>
              ))}
            </ul>
            {found.hasNextPage ? (
              <button
                type="button"
                className="button button-small"
                disabled={found.isFetchingNextPage}
                onClick={() => {
                  void found.fetchNextPage();
                }}
              >
                更早的反馈
              </button>
            ) : null}
          </section>
        );
      }}
    </Loaded>
  );
}

function FeedbackText({ feedback }: { readonly feedback: Feedback }) {
  const { title, content, video_id, created_at, diagnostics } = feedback;
  return (
    <div className="row-text">
      <p className="row-title">
        <b>{title}</b>
        {video_id === null ? null : <span className="row-meta">　视频 {video_id}</span>}
      </p>
      <p className="said-text">{content}</p>
      {diagnostics === null ? null : (
        <details className="said-details">
          <summary>诊断信息</summary>
          <pre>{JSON.stringify(diagnostics, null, 1)}</pre>
        </details>
      )}
      <p className="row-meta">{ago(created_at)}</p>
    </div>
  );
}

function StateChoice({ feedback }: { readonly feedback: Feedback }) {
  const client = useQueryClient();
  const setting = useMutation({
    mutationFn: (state: FeedbackState) =>
      call<Feedback>(`/api/feedback/${feedback.id}/state`, { method: "POST", body: { state } }),
    onSuccess: async () => {
      await client.invalidateQueries({ queryKey: ["feedback"] });
      await client.invalidateQueries({ queryKey: ["overview"] });
    },
  });
  const shown = setting.isPending ? setting.variables : feedback.state;
  return (
    <div className="said-state">
      <Choice
        label={`反馈 ${feedback.id} 的处理情况`}
        options={OPTIONS}
        value={shown}
        onChange={(state) => {
          setting.mutate(state);
        }}
      />
      {setting.error ? (
        <p className="field-fault" role="alert">
          {setting.error.message}
        </p>
      ) : null}
    </div>
  );
}
