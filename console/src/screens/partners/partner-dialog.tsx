import { Link } from "@tanstack/react-router";
import { useState } from "react";
import { useContentChange } from "@/features/content/use-content.ts";
import { KeyNote } from "@/screens/partners/key-note.tsx";
import { PartnerForm } from "@/screens/partners/partner-form.tsx";
import { Secret } from "@/screens/partners/secret.tsx";
import type { Partner, PartnerCode, PartnerKey } from "@/shared/api/types.ts";
import { ConfirmDialog, Dialog } from "@/shared/ui/dialog.tsx";

type Asked = "edit" | "rotate" | "remove" | null;

/** A partner: its values, a code to try with, a new key, its end. */
export function PartnerDialog({
  partner,
  onClose,
}: {
  readonly partner: Partner;
  readonly onClose: () => void;
}) {
  const [asked, setAsked] = useState<Asked>(null);
  const rotate = useContentChange<PartnerKey>();
  const sign = useContentChange<PartnerCode>();
  const remove = useContentChange(onClose);
  const path = `partners/${partner.id}`;
  const fault = rotate.error ?? sign.error ?? remove.error;
  return (
    <Dialog title={partner.name} onClose={onClose}>
      <p className="row-meta">
        {partner.id}，{partner.origin}
      </p>
      {rotate.data ? <KeyNote value={rotate.data.key} /> : null}
      {sign.data ? <TrialAddress {...sign.data} /> : null}
      {fault ? (
        <p className="field-fault" role="alert">
          {fault.message}
        </p>
      ) : null}
      <div className="dialog-choices">
        <button
          type="button"
          className="button button-small"
          onClick={() => {
            setAsked("edit");
          }}
        >
          修改
        </button>
        <button
          type="button"
          className="button button-small"
          disabled={sign.isPending}
          onClick={() => {
            sign.mutate({ method: "POST", path: `${path}/code` });
          }}
        >
          签发试用凭证
        </button>
        <button
          type="button"
          className="button button-small"
          onClick={() => {
            setAsked("rotate");
          }}
        >
          换密钥
        </button>
        <button
          type="button"
          className="button button-small"
          onClick={() => {
            setAsked("remove");
          }}
        >
          结束合作
        </button>
      </div>
      {asked === "edit" ? <PartnerForm partner={partner} onClose={onClose} /> : null}
      {asked === "rotate" || asked === "remove" ? (
        <ConfirmDialog
          title={asked === "rotate" ? "换密钥" : "结束合作"}
          text={
            asked === "rotate"
              ? "旧密钥签发的凭证马上失效，已登录的访客不受影响。"
              : "不再接受它的凭证，也不再允许它内嵌；已登录的访客最多还能用两小时。不能恢复。"
          }
          action={asked === "rotate" ? "确认换密钥" : "确认结束"}
          isBusy={rotate.isPending || remove.isPending}
          fault={undefined}
          onConfirm={() => {
            setAsked(null);
            if (asked === "rotate") rotate.mutate({ method: "POST", path: `${path}/key` });
            else remove.mutate({ method: "DELETE", path });
          }}
          onClose={() => {
            setAsked(null);
          }}
        />
      ) : null}
    </Dialog>
  );
}

/** Where a code opens the site. The console knows no more than a path until the site's address is set. */
function TrialAddress({ url, seconds }: PartnerCode) {
  const isWhole = !url.startsWith("/");
  return (
    <>
      <Secret
        note={`试用的登录地址，只能打开一次，${seconds} 秒内有效：`}
        name={isWhole ? "地址" : "路径"}
        value={url}
      />
      {isWhole ? null : (
        <>
          <p className="row-meta">
            没有设置网站的地址，这里只知道后半段，要接在它后面打开。写上网址再签发，就是完整的地址。
          </p>
          <Link to="/content/site" className="button button-small">
            去写网站的地址
          </Link>
        </>
      )}
    </>
  );
}
