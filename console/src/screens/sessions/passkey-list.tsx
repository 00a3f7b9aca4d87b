import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { roleName } from "@/features/session/me.ts";
import { call } from "@/shared/api/call.ts";
import type { Passkey } from "@/shared/api/types.ts";
import { ago, moment } from "@/shared/format/moment.ts";
import { Badge } from "@/shared/ui/badge.tsx";
import { ConfirmDialog } from "@/shared/ui/dialog.tsx";
import { Empty, Loaded } from "@/shared/ui/state.tsx";

/** All passkeys, each removable. */
export function PasskeyList() {
  const client = useQueryClient();
  const [removed, setRemoved] = useState<Passkey | null>(null);
  const passkeys = useQuery({
    queryKey: ["passkeys"],
    queryFn: ({ signal }) => call<Passkey[]>("/api/passkeys", { signal }),
  });
  const removing = useMutation({
    mutationFn: (id: number) => call<null>(`/api/passkeys/${id}`, { method: "DELETE" }),
    onSuccess: async () => {
      await client.invalidateQueries();
      setRemoved(null);
    },
  });
  return (
    <Loaded query={passkeys}>
      {(all) => (
        <>
          {all.length === 0 ? (
            <Empty>
              还没有登记通行密钥。登记之后，用指纹、面容或 PIN
              登录，不必再上服务器取一次性地址；每台设备各登记一个。
            </Empty>
          ) : null}
          <ul className="rows">
            {all.map((one) => (
              <li key={one.id}>
                <div className="row-text">
                  <p className="row-title">{one.label}</p>
                  <p className="row-meta">
                    {one.name}，
                    {one.used_at ? `${ago(one.used_at)}用过` : `${moment(one.created_at)} 登记`}
                  </p>
                </div>
                <Badge>{roleName(one.role)}</Badge>
                <button
                  type="button"
                  className="button button-small"
                  aria-label={`移除 ${one.label}`}
                  onClick={() => {
                    removing.reset();
                    setRemoved(one);
                  }}
                >
                  移除
                </button>
              </li>
            ))}
          </ul>
          {removed ? (
            <ConfirmDialog
              title={`移除“${removed.label}”？`}
              text="它不能再登录，用它打开的登录会立刻结束。"
              action="移除"
              isBusy={removing.isPending}
              fault={removing.error?.message}
              onConfirm={() => {
                removing.mutate(removed.id);
              }}
              onClose={() => {
                setRemoved(null);
              }}
            />
          ) : null}
        </>
      )}
    </Loaded>
  );
}
