import "./vendor.css";
import { useEffect } from "react";
import { useConfig } from "@/shared/config/config.ts";
import { siteIdentity } from "@/shared/config/site.ts";
import { TEXT } from "@/shared/messages/texts.ts";
import { Link, useSearchParams } from "@/shared/navigation/navigation.tsx";
import { FullSiteLink } from "@/shared/partner/full-site-link.tsx";
import { endSession } from "@/shared/partner/session.ts";
import { useClientStore } from "@/shared/store/client-store.ts";
import { Emblem } from "@/shared/ui/emblem.tsx";
import { useTitle } from "@/shared/ui/use-title.ts";
import { Wordmark } from "@/shared/ui/wordmark.tsx";
import { reasonOf } from "./reason.ts";
import { type Exchange, useExchange } from "./use-exchange.ts";

/**
 * `/vendor` (docs/product.md#embedding): the arrival of a partner's visitor, or what to do when the
 * session is missing or over.
 */
export function VendorScreen() {
  const [params] = useSearchParams();
  const isLogout = params.get("logout") === "logout";
  const exchange = useExchange();
  useTitle("从合作网站进入");
  useEffect(() => {
    if (isLogout) endSession();
  }, [isLogout]);

  return (
    <div className="vendor">
      <div className="vendor-body">
        <Emblem className="vendor-emblem" />
        <Wordmark className="vendor-wordmark" />
        {exchange.isRunning ? (
          <h1 role="status">正在进入…</h1>
        ) : (
          <Explanation
            isLogout={isLogout}
            isFailed={exchange.isFailed}
            reason={reasonOf(params.get("msg"))}
          />
        )}
      </div>
      {!exchange.isRunning && <WaysOn exchange={exchange} />}
    </div>
  );
}

interface ExplanationProps {
  readonly isLogout: boolean;
  readonly isFailed: boolean;
  readonly reason: string;
}

function Explanation({ isLogout, isFailed, reason }: ExplanationProps) {
  if (isFailed) {
    return (
      <>
        <h1>没能进入</h1>
        <p>{TEXT.networkError}</p>
      </>
    );
  }
  return (
    <>
      <h1>请从合作网站重新进入</h1>
      <p>
        {isLogout ? "登录已经过期。" : ""}回到原来的网站，再点一次「{siteIdentity().name}
        」就能继续观看。
      </p>
      {reason && <p className="vendor-reason">提示：{reason}</p>}
    </>
  );
}

/**
 * What can be done here. Leading back to the partner only works for a visitor whose partner is
 * known.
 */
function WaysOn({ exchange }: { readonly exchange: Exchange }) {
  const { isAuthRequired } = useConfig();
  const domain = useClientStore((state) => state.xbbBonus.domain);
  const isHttp = /^https?:\/\//.test(domain);
  return (
    <div className="vendor-actions">
      {exchange.isFailed && (
        <button type="button" className="button button-primary" onClick={exchange.retry}>
          重试
        </button>
      )}
      {isHttp && (
        <a className="button button-primary" href={domain} target="_top" rel="noreferrer">
          返回合作网站
        </a>
      )}
      {!isAuthRequired && (
        <Link className="button" to="/home" replace>
          先去首页看看
        </Link>
      )}
      <FullSiteLink className="button" />
    </div>
  );
}
