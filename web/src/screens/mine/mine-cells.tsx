import "./mine-cells.css";
import {
  IconAt,
  IconCalendarCheck,
  IconChevronRight,
  IconExternalLink,
  IconFileOff,
  IconGift,
  IconInfoCircle,
  IconMoon,
  IconUsers,
} from "@tabler/icons-react";
import type { ReactNode } from "react";
import { listAppLinks } from "@/shared/api/discovery-calls.ts";
import { listAds } from "@/shared/api/list-calls.ts";
import type { AppLink } from "@/shared/api/model.ts";
import { useConfig } from "@/shared/config/config.ts";
import { siteIdentity } from "@/shared/config/site.ts";
import { Cover } from "@/shared/covers/cover.tsx";
import { Link } from "@/shared/navigation/navigation.tsx";
import { queryKeys } from "@/shared/server-state/query-keys.ts";
import { useQuery } from "@/shared/server-state/use-query.ts";
import { THEME } from "@/shared/storage/entries.ts";
import { useStored } from "@/shared/storage/use-stored.ts";
import { useClientStore } from "@/shared/store/client-store.ts";
import { Segments } from "@/shared/ui/segments.tsx";
import { setTheme, type Theme } from "@/shared/ui/theme.ts";
import { AdTile } from "@/shared/ui/tiles/ad-tile.tsx";
import { trackAd } from "@/shared/ui/tiles/ad-tracking.ts";

const THEMES: readonly { value: Theme; name: string }[] = [
  { value: "system", name: "系统" },
  { value: "light", name: "浅色" },
  { value: "dark", name: "深色" },
];

/** Check-in, activity, community and exchange links of the operator; empty groups are left out. */
export function Links() {
  const { community, exchangeLinks } = useConfig();
  const isShowAd = useClientStore((state) => state.isShowAd);
  const checkin = useLinks("checkin", isShowAd);
  const activity = useLinks("activity", isShowAd);
  return (
    <>
      <Cells>
        {checkin.map((link) => (
          <LinkCell
            key={link.id}
            link={link}
            icon={<IconCalendarCheck stroke={1.75} aria-hidden="true" />}
            isAd
          />
        ))}
        {activity.map((link) => (
          <LinkCell
            key={link.id}
            link={link}
            icon={<IconGift stroke={1.75} aria-hidden="true" />}
            isAd
          />
        ))}
        {community && (
          <LinkCell link={community} icon={<IconUsers stroke={1.75} aria-hidden="true" />} />
        )}
      </Cells>
      {isShowAd && (
        <Cells>
          {exchangeLinks.map((link) => (
            <LinkCell key={link.id} link={link} icon={<LinkIcon link={link} />} isAd />
          ))}
        </Cells>
      )}
    </>
  );
}

/** The operator's advertisement for visitors of this page, the first of its place. */
export function UserAd() {
  const isShowAd = useClientStore((state) => state.isShowAd);
  const query = { key: queryKeys.ads("USER"), load: () => listAds("USER") };
  const [ad] = useQuery(query, { isEnabled: isShowAd }).data ?? [];
  return ad ? <AdTile ad={ad} /> : null;
}

function useLinks(kind: "checkin" | "activity", isEnabled: boolean): readonly AppLink[] {
  const query = { key: queryKeys.links(kind), load: () => listAppLinks(kind) };
  return useQuery(query, { isEnabled }).data ?? [];
}

function LinkIcon({ link }: { readonly link: AppLink }) {
  if (!link.image?.url) return <IconExternalLink stroke={1.75} aria-hidden="true" />;
  return <Cover picture={link.image} ratio="fill" className="mine-link-picture" />;
}

/** Cells on a common background; no background without cells. */
function Cells({ children }: { readonly children: ReactNode }) {
  return <div className="mine-cells">{children}</div>;
}

interface LinkCellProps {
  readonly link: Pick<AppLink, "title" | "text" | "url">;
  readonly icon: ReactNode;
  readonly isAd?: boolean;
}

/**
 * A link that leaves the site; not drawn unless its address is http(s) (docs/product.md#embedding).
 */
export function LinkCell({ link, icon, isAd = false }: LinkCellProps) {
  if (!link.url) return null;
  return (
    <a
      className="mine-cell"
      href={link.url}
      target="_blank"
      rel="sponsored noopener noreferrer"
      onClick={() => isAd && trackAd(link.url)}
    >
      {icon}
      <span className="mine-cell-text">
        {link.title}
        {link.text && <small>{link.text}</small>}
      </span>
      <span className="mine-cell-end">
        {isAd && "广告"}
        <IconChevronRight size={18} stroke={2} aria-hidden="true" />
      </span>
    </a>
  );
}

/** Theme, the operator's address, what was removed, and version. */
export function Appearance() {
  const theme = useStored(THEME);
  const { contact } = siteIdentity();
  const { version, hasRemovals } = useConfig();
  return (
    <Cells>
      <div className="mine-cell">
        <IconMoon stroke={1.75} aria-hidden="true" />
        <span className="mine-cell-text">外观</span>
        <Segments
          label="外观"
          options={THEMES}
          value={theme === "dark" || theme === "light" ? theme : "system"}
          onChange={setTheme}
        />
      </div>
      {contact && (
        <div className="mine-cell">
          <IconAt stroke={1.75} aria-hidden="true" />
          <span className="mine-cell-text">联系我们</span>
          <span className="mine-cell-end is-contact">{contact}</span>
        </div>
      )}
      {hasRemovals && (
        <Link className="mine-cell" to="/removals">
          <IconFileOff stroke={1.75} aria-hidden="true" />
          <span className="mine-cell-text">下架公示</span>
          <span className="mine-cell-end">
            <IconChevronRight size={18} stroke={2} aria-hidden="true" />
          </span>
        </Link>
      )}
      <div className="mine-cell">
        <IconInfoCircle stroke={1.75} aria-hidden="true" />
        <span className="mine-cell-text">版本</span>
        <span className="mine-cell-end">{version}</span>
      </div>
    </Cells>
  );
}
