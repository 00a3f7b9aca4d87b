import { Link, type LinkProps } from "@tanstack/react-router";
import { Commands } from "@/features/maintenance/commands.tsx";
import { includes } from "@/features/session/me.ts";
import type { Finding, Remedy, Role } from "@/shared/api/types.ts";
import { moment } from "@/shared/format/moment.ts";

interface PageOf {
  readonly to: NonNullable<LinkProps["to"]>;
  readonly search?: { readonly state: "failed" };
  readonly name: string;
  /** The least role that can do there what is advised. */
  readonly role: Role;
}

/** Where the console does what is advised; what is not here is a button's business, or a shell's. */
const PAGES: Partial<Record<NonNullable<Remedy["place"]>, PageOf>> = {
  jobs: { to: "/jobs", search: { state: "failed" }, name: "打开导入队列", role: "viewer" },
  videos: { to: "/videos", name: "查看视频", role: "viewer" },
  figures: { to: "/figures", name: "查看失败的次数", role: "viewer" },
  categories: { to: "/content/categories", name: "整理分类", role: "editor" },
  ads: { to: "/content/ads", name: "整理广告", role: "editor" },
  banners: { to: "/content/banners", name: "整理轮播图", role: "editor" },
  links: { to: "/content/links", name: "整理链接", role: "editor" },
  site: { to: "/content/site", name: "填写网站信息", role: "owner" },
};

/** What to do about a finding, and the way there: a page, or the server where no page does it. */
export function RemedyText({
  finding: { remedy, at },
  role,
}: {
  readonly finding: Finding;
  readonly role: Role;
}) {
  const when = at ? `${moment(at)}。` : "";
  const isOnServer = remedy?.place === "server" && role === "owner";
  return (
    <>
      {when || remedy ? (
        <p className="row-meta">
          {when}
          {remedy?.text}
        </p>
      ) : null}
      {isOnServer ? (
        <p className="row-meta">
          {remedy.commands.length > 0 ? "这要在服务器上执行：" : "这要在服务器上处理。"}
        </p>
      ) : null}
      {isOnServer && remedy.commands.length > 0 ? (
        <Commands label="在服务器上执行的命令" lines={remedy.commands} />
      ) : null}
    </>
  );
}

/** The page that does what is advised, where there is one that this role may use. */
export function RemedyLink({
  remedy,
  role,
}: {
  readonly remedy: Remedy | null | undefined;
  readonly role: Role;
}) {
  const page = remedy?.place === undefined ? undefined : PAGES[remedy.place];
  if (page === undefined || !includes(role, page.role)) return null;
  return (
    <Link to={page.to} search={page.search ?? {}} className="button button-small">
      {page.name}
    </Link>
  );
}
