import "./mine-cells.css";
import { IconGift, IconSpeakerphone, IconTicket } from "@tabler/icons-react";
import type { ReactNode } from "react";
import { safeLink } from "@/shared/api/mapping.ts";
import { FullSiteLink } from "@/shared/partner/full-site-link.tsx";
import { useClientStore } from "@/shared/store/client-store.ts";
import { LinkCell } from "./mine-cells.tsx";

/**
 * A partner's perks for its visitors, and the link to the full site from inside its frame; nothing
 * for guests.
 */
export function PartnerPerks() {
  const { isGuest, promoUrl, activity, ad } = useClientStore((state) => state.xbbBonus);
  const isShowAd = useClientStore((state) => state.isShowAd);
  return (
    <div className="mine-cells">
      {!isGuest && (
        <>
          <Perk
            url={promoUrl}
            name="推广中心"
            icon={<IconTicket stroke={1.75} aria-hidden="true" />}
          />
          <Perk
            url={activity}
            name="专属活动"
            icon={<IconGift stroke={1.75} aria-hidden="true" />}
          />
          {isShowAd && (
            <Perk
              url={ad}
              name="合作推荐"
              icon={<IconSpeakerphone stroke={1.75} aria-hidden="true" />}
              isAd
            />
          )}
        </>
      )}
      <FullSiteLink className="mine-cell" />
    </div>
  );
}

interface PerkProps {
  readonly url: string;
  readonly name: string;
  readonly icon: ReactNode;
  readonly isAd?: boolean;
}

/** A partner's link. It comes from storage, so its address is checked again. */
function Perk({ url, name, icon, isAd = false }: PerkProps) {
  const link = { url: safeLink(url), title: name, text: "" };
  return <LinkCell link={link} icon={icon} isAd={isAd} />;
}
