import { useInfiniteQuery } from "@tanstack/react-query";
import { includes, useMe } from "@/features/session/me.ts";
import { useCategories } from "@/features/videos/categories.ts";
import { actionName, valueName } from "@/screens/audit/actions.ts";
import { isEmpty, type Names, spoken } from "@/screens/audit/values.ts";
import { call } from "@/shared/api/call.ts";
import type { AuditEntry, AuditPage } from "@/shared/api/types.ts";
import { moment } from "@/shared/format/moment.ts";
import { Empty, Loaded } from "@/shared/ui/state.tsx";
import { useTitle } from "@/shared/ui/use-title.ts";

/** What operators did; nobody can change it. */
export function AuditScreen() {
  useTitle("操作记录");
  const me = useMe();
  const entries = useInfiniteQuery({
    queryKey: ["audit"],
    queryFn: ({ pageParam, signal }) =>
      call<AuditPage>(pageParam === null ? "/api/audit" : `/api/audit?before=${pageParam}`, {
        signal,
      }),
    initialPageParam: null as number | null,
    getNextPageParam: (last) => last.next_before,
  });
  return (
    <div className="page">
      <header className="page-head">
        <h1 className="page-title">操作记录</h1>
        {me && includes(me.role, "owner") ? (
          <a className="button button-small" href="/api/audit/export" download>
            导出 CSV
          </a>
        ) : null}
      </header>
      <p className="page-lead">谁在什么时候做了什么。记录只能增加，不能修改或删除。</p>
      <Loaded query={entries}>
        {({ pages }) => {
          const all = pages.flatMap(({ data }) => data);
          if (all.length === 0) return <Empty>还没有记录</Empty>;
          return (
            <section className="card" aria-label="记录">
              <ul className="rows">
                {all.map((entry) => (
                  <li key={entry.id}>
                    <EntryText entry={entry} />
                  </li>
                ))}
              </ul>
              {entries.hasNextPage ? (
                <button
                  type="button"
                  className="button button-small"
                  disabled={entries.isFetchingNextPage}
                  onClick={() => {
                    void entries.fetchNextPage();
                  }}
                >
                  更早的记录
                </button>
              ) : null}
            </section>
          );
        }}
      </Loaded>
    </div>
  );
}

function EntryText({ entry }: { readonly entry: AuditEntry }) {
  const names = new Map(useCategories().map(({ id, name }) => [id, name]));
  const changes = changesOf(entry, names);
  return (
    <div className="row-text">
      <p className="row-title">
        <b>{actionName(entry.action)}</b>　{entry.subject}
      </p>
      {changes.map(([name, change]) => (
        <p key={name} className="row-meta">
          {valueName(name)}：{change}
        </p>
      ))}
      <p className="row-meta">
        {entry.name}，{moment(entry.at)}
      </p>
    </div>
  );
}

/** Each value that changed, by its name: what it became, or was and became. */
function changesOf(entry: AuditEntry, categories: Names): [string, string][] {
  const before = (entry.before ?? {}) as Record<string, unknown>;
  const after = (entry.after ?? {}) as Record<string, unknown>;
  const names = [...new Set([...Object.keys(before), ...Object.keys(after)])];
  // What was left empty tells nothing.
  const told = names.filter((name) => !isEmpty(before[name]) || !isEmpty(after[name]));
  return told.map((name) => {
    const [was, is] = [
      spoken(name, before[name], categories),
      spoken(name, after[name], categories),
    ];
    if (!(name in before)) return [name, is];
    return [name, entry.after === null ? was : `${was} → ${is}`];
  });
}
