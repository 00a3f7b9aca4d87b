import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { roleName } from "@/features/session/me.ts";
import { deviceName } from "@/screens/sessions/device-name.ts";
import { call } from "@/shared/api/call.ts";
import type { Session } from "@/shared/api/types.ts";
import { ago } from "@/shared/format/moment.ts";
import { Badge } from "@/shared/ui/badge.tsx";
import { ConfirmDialog } from "@/shared/ui/dialog.tsx";
import { Loaded } from "@/shared/ui/state.tsx";

const REFRESH_MS = 15_000;

/** Who is logged in now; any other session can be ended. */
export function SessionList() {
  const client = useQueryClient();
  const [ended, setEnded] = useState<Session | null>(null);
  const sessions = useQuery({
    queryKey: ["sessions"],
    queryFn: ({ signal }) => call<Session[]>("/api/sessions", { signal, isBackground: true }),
    refetchInterval: REFRESH_MS,
  });
  const ending = useMutation({
    mutationFn: (id: number) => call<null>(`/api/sessions/${id}`, { method: "DELETE" }),
    onSuccess: async () => {
      await client.invalidateQueries({ queryKey: ["sessions"] });
      setEnded(null);
    },
  });
  return (
    <section className="card" aria-labelledby="sessions">
      <div className="card-head">
        <h2 id="sessions" className="card-title">
          现在的登录
        </h2>
      </div>
      <Loaded query={sessions}>
        {(all) => (
          <ul className="rows">
            {all.map((one) => (
              <li key={one.id}>
                <div className="row-text">
                  <p className="row-title">{one.name}</p>
                  <p className="row-meta">
                    {roleName(one.role)}，{deviceName(one.device)}，{ago(one.seen_at)}
                  </p>
                </div>
                {one.is_mine ? (
                  <Badge>本机</Badge>
                ) : (
                  <button
                    type="button"
                    className="button button-small"
                    aria-label={`结束 ${one.name} 的登录 ${one.id}`}
                    onClick={() => {
                      ending.reset();
                      setEnded(one);
                    }}
                  >
                    结束
                  </button>
                )}
              </li>
            ))}
          </ul>
        )}
      </Loaded>
      {ended ? (
        <ConfirmDialog
          title={`结束 ${ended.name} 的登录？`}
          text={`${deviceName(ended.device)}会立刻退出。`}
          action="结束"
          isBusy={ending.isPending}
          fault={ending.error?.message}
          onConfirm={() => {
            ending.mutate(ended.id);
          }}
          onClose={() => {
            setEnded(null);
          }}
        />
      ) : null}
    </section>
  );
}
