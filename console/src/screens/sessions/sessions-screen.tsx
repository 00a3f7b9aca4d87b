import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useNavigate } from "@tanstack/react-router";
import { useState } from "react";
import { includes, roleName, useMe } from "@/features/session/me.ts";
import { EnrolDialog } from "@/screens/sessions/enrol-dialog.tsx";
import { PasskeyList } from "@/screens/sessions/passkey-list.tsx";
import { SessionList } from "@/screens/sessions/session-list.tsx";
import { call } from "@/shared/api/call.ts";
import { span } from "@/shared/format/moment.ts";
import { useTitle } from "@/shared/ui/use-title.ts";

/** Who is logged in, and with which passkeys one may. */
export function SessionsScreen() {
  useTitle("登录与密钥");
  const me = useMe();
  const client = useQueryClient();
  const navigate = useNavigate();
  const [isEnrolling, setEnrolling] = useState(false);
  const leaving = useMutation({
    mutationFn: () => call<null>("/api/session", { method: "DELETE" }),
    onSuccess: async () => {
      await navigate({ to: "/login" });
      client.clear();
    },
  });
  if (!me) return null;
  const isOwner = includes(me.role, "owner");
  return (
    <div className="page">
      <header className="page-head">
        <h1 className="page-title">登录与密钥</h1>
        <button
          type="button"
          className="button button-small"
          disabled={leaving.isPending}
          onClick={() => {
            leaving.mutate();
          }}
        >
          退出登录
        </button>
      </header>
      <p className="page-lead">
        你是 {me.name}（{roleName(me.role)}）。{span(me.idle_seconds)}不使用会自动退出，最长 12
        小时。
      </p>
      <div className="columns">
        <section className="card" aria-labelledby="passkeys">
          <div className="card-head">
            <h2 id="passkeys" className="card-title">
              通行密钥
            </h2>
            <button
              type="button"
              className="button button-small button-primary"
              onClick={() => {
                setEnrolling(true);
              }}
            >
              登记这台设备
            </button>
          </div>
          {isOwner ? (
            <PasskeyList />
          ) : (
            <p className="page-lead">登记之后，可以用指纹、面容或 PIN 登录。</p>
          )}
        </section>
        {isOwner ? <SessionList /> : null}
      </div>
      {isEnrolling ? (
        <EnrolDialog
          onClose={() => {
            setEnrolling(false);
          }}
        />
      ) : null}
    </div>
  );
}
