import { useQuery, useQueryClient } from "@tanstack/react-query";
import { Link, useNavigate } from "@tanstack/react-router";
import { useEffect, useState } from "react";
import { ME } from "@/features/session/me.ts";
import { openByLink } from "@/features/session/open.ts";
import { CallError } from "@/shared/api/call.ts";
import { Alone } from "@/shared/ui/alone.tsx";
import { useTitle } from "@/shared/ui/use-title.ts";

/** The token behind the address's `#`, which is taken out of the address and its history. */
function takeToken(): string {
  const token = window.location.hash.slice(1);
  window.history.replaceState(window.history.state, "", "/enter");
  return token;
}

/** Where a one-time address leads. */
export function EnterScreen() {
  useTitle("登录");
  const [token] = useState(takeToken);
  const client = useQueryClient();
  const navigate = useNavigate();
  const opened = useQuery({
    queryKey: ["enter", token],
    queryFn: () => {
      if (token) return openByLink(token);
      throw new CallError("地址不完整：请从 liuying console 的输出里复制整个地址", 422);
    },
    gcTime: 0,
    retry: false,
  });
  useEffect(() => {
    if (!opened.data) return;
    client.setQueryData(ME.queryKey, opened.data);
    void navigate({ to: "/", replace: true });
  }, [opened.data, client, navigate]);
  if (opened.error)
    return (
      <Alone>
        <h1 className="page-title">没有登录</h1>
        <p role="alert">{opened.error.message}</p>
        <Link to="/login" className="button button-small">
          其他登录方式
        </Link>
      </Alone>
    );
  return (
    <Alone>
      <h1 className="page-title">流影控制台</h1>
      <p role="status">正在登录…</p>
    </Alone>
  );
}
