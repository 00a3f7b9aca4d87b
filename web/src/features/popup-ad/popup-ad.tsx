import "./popup-ad.css";
import { IconX } from "@tabler/icons-react";
import type { Ad } from "@/shared/api/model.ts";
import { Cover } from "@/shared/covers/cover.tsx";
import { adLink, isInside } from "@/shared/ui/tiles/ad-tracking.ts";

interface PopupAdProps {
  readonly ad: Ad;
  readonly onClose: () => void;
}

/**
 * An advertisement that opened by itself: a card above the tab bar that takes neither focus nor the
 * page.
 */
export function PopupAd({ ad, onClose }: PopupAdProps) {
  const link = adLink(ad);
  return (
    <aside className="popup-ad" aria-label="广告">
      <a
        className="popup-ad-link"
        {...link}
        href={link.href}
        onClick={(event) => {
          link.onClick(event);
          onClose();
        }}
      >
        <Cover picture={ad.image} ratio="ad" isEager>
          {!isInside(ad.url) && <span className="cover-tag">广告</span>}
        </Cover>
        <span className="popup-ad-text">
          <span className="tile-title">{ad.title}</span>
          {ad.text && <span className="popup-ad-note">{ad.text}</span>}
        </span>
      </a>
      <button type="button" className="icon-button" aria-label="关闭广告" onClick={onClose}>
        <IconX size={20} stroke={2} aria-hidden="true" />
      </button>
    </aside>
  );
}
