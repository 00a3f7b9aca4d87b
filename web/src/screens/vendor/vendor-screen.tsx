import "./vendor.css";
import { useEffect } from "react";
import { useConfig } from "@/shared/config/config.ts";
import { Link, useSearchParams } from "@/shared/navigation/navigation.tsx";
import { setPartnerSession, setToken } from "@/shared/store/client-store.ts";
import { Emblem } from "@/shared/ui/emblem.tsx";
import { useTitle } from "@/shared/ui/use-title.ts";
import { Wordmark } from "@/shared/ui/wordmark.tsx";
import { reasonOf } from "./reason.ts";

/** `/vendor` (decisions §6): what to do when the partner's session is missing or has ended. */
export function VendorScreen() {
  const [params] = useSearchParams();
  const { isAuthRequired } = useConfig();
  const isLogout = params.get("logout") === "logout";
  const reason = reasonOf(params.get("msg"));
  const isFramed = window.self !== window.top;
  useTitle("请重新进入");
  useEffect(() => {
    if (!isLogout) return;
    setToken("");
    setPartnerSession(null);
  }, [isLogout]);

  return (
    <div className="vendor">
      <div className="vendor-body">
        <Emblem className="vendor-emblem" />
        <Wordmark className="vendor-wordmark" />
        <h1>请从合作网站重新进入</h1>
        <p>{isLogout ? "登录已经过期。" : ""}回到原来的网站，再点一次「流影」就能继续观看。</p>
        {reason && <p className="vendor-reason">提示：{reason}</p>}
      </div>
      <div className="vendor-actions">
        {isFramed && (
          <a className="button" href="/home" target="_blank" rel="noopener">
            在新窗口打开完整站点
          </a>
        )}
        {!isAuthRequired && (
          <Link className="button button-primary" to="/home" replace>
            先去首页看看
          </Link>
        )}
      </div>
    </div>
  );
}
