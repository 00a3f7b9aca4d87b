import type { Form } from "@/screens/site/site-form.ts";
import { useFileAddress } from "@/shared/ui/picture-field.tsx";

interface SitePreviewProps {
  readonly texts: Partial<Form["texts"]>;
  readonly icon: File | null | undefined;
  readonly logo: File | null | undefined;
  /** Where the stored pictures are shown; null without one. */
  readonly stored: { readonly icon: string | null; readonly logo: string | null };
}

/** Where visitors read the names: the head of home, a shared link, and home's end. */
export function SitePreview({ texts, icon, logo, stored }: SitePreviewProps) {
  const { name = "", slogan = "", description = "", share_text = "", footer = "" } = texts;
  const iconAddress = useFileAddress(icon ?? null) ?? stored.icon;
  const logoAddress = useFileAddress(logo ?? null) ?? stored.logo;
  const end = footer || [name, slogan].filter(Boolean).join(" · ");
  return (
    <section className="card" aria-label="访客看到的样子">
      <h2 className="card-title">访客看到的样子</h2>
      <dl className="site-places">
        <dt>首页顶部</dt>
        <dd className="site-head">
          {iconAddress ? <img className="site-icon" src={iconAddress} alt="图标" /> : null}
          {logoAddress ? (
            <img className="site-logo" src={logoAddress} alt={name} />
          ) : (
            <span className="site-name">{name}</span>
          )}
          <span className="row-meta">{slogan}</span>
        </dd>
        <dt>分享的链接</dt>
        <dd>
          <p className="row-title">视频的标题 - {name}</p>
          <p className="row-meta">{share_text || description}</p>
        </dd>
        <dt>首页最下面</dt>
        <dd className="row-meta">{end}</dd>
      </dl>
    </section>
  );
}
