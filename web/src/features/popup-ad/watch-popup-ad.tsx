import { createRoot } from "react-dom/client";
import { get } from "@/shared/api/get.ts";
import { adFromWire } from "@/shared/api/mapping.ts";
import type { Ad } from "@/shared/api/model.ts";
import { currentLocation, onNavigation } from "@/shared/navigation/history.ts";
import { adTrackingEntry } from "@/shared/storage/entries.ts";
import { read } from "@/shared/storage/registry.ts";
import { AD_TRACKING_MS, trackAd } from "@/shared/ui/tiles/ad-tracking.ts";
import { PopupAd } from "./popup-ad.tsx";

/** Where the time of the last one is kept, among the times of opened advertisements. */
const SLOT = "EXPLODE";
/** The only screen over which it opens: nobody is disturbed while watching. */
const PLACE = "/home";

const isHome = () => currentLocation().pathname === PLACE;
const isDue = () => Date.now() - read(adTrackingEntry(SLOT)) >= AD_TRACKING_MS;

/**
 * Open an advertisement of the slot `EXPLODE` over home, once in 24 h (specification §9;
 * docs/product.md#r29). It is requested immediately, so that returning to home costs no request.
 */
export async function watchPopupAd(): Promise<void> {
  if (!isDue()) return;
  try {
    const [wire] = await get("/api/adinfo/EXPLODE/0", {});
    if (wire) showOverHome(adFromWire(wire));
  } catch (error) {
    console.info(error);
  }
}

function showOverHome(ad: Ad): void {
  if (isHome()) return show(ad);
  const stop = onNavigation(() => {
    if (!isHome()) return;
    stop();
    show(ad);
  });
}

/**
 * Beside the page, not in it: the page does not know it. It disappears when the visitor leaves
 * home.
 */
function show(ad: Ad): void {
  // Another tab may have shown one meanwhile.
  if (!isDue()) return;
  trackAd(SLOT);
  const place = document.createElement("div");
  document.body.append(place);
  const root = createRoot(place);
  const close = () => {
    stop();
    root.unmount();
    place.remove();
  };
  const stop = onNavigation(() => {
    if (!isHome()) close();
  });
  root.render(<PopupAd ad={ad} onClose={close} />);
}
