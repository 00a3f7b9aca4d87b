import "@/screens/login/login.css";
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useNavigate } from "@tanstack/react-router";
import { ME } from "@/features/session/me.ts";
import { openByPasskey } from "@/features/session/open.ts";
import { useTitle } from "@/shared/ui/use-title.ts";
import emblem from "../../../../web/public/favicon.svg";

/** Where nobody is logged in. */
export function LoginScreen() {
  useTitle("登录");
  const client = useQueryClient();
  const navigate = useNavigate();
  const opening = useMutation({
    mutationFn: openByPasskey,
    onSuccess: async (me) => {
      client.clear();
      client.setQueryData(ME.queryKey, me);
      await navigate({ to: "/" });
    },
  });
  return (
    <main className="login">
      <img src={emblem} alt="" width={64} height={64} />
      <h1 className="page-title">流影控制台</h1>
      <button
        type="button"
        className="button button-primary login-button"
        disabled={opening.isPending}
        onClick={() => {
          opening.mutate();
        }}
      >
        用通行密钥登录
      </button>
      {opening.error ? (
        <p className="field-fault" role="alert">
          {opening.error.message}
        </p>
      ) : null}
      <section className="login-help">
        <h2 className="card-title">第一次登录，或没有通行密钥</h2>
        <p>在服务器上执行下面的命令，用浏览器打开它给出的地址：</p>
        <pre className="login-command">liuying console</pre>
        <p>地址只能用一次，五分钟内有效。</p>
      </section>
    </main>
  );
}
