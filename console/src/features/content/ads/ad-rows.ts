import { windowName, windowText } from "@/features/content/windows.ts";
import type { Ad } from "@/shared/api/types.ts";
import { count } from "@/shared/format/count.ts";
import type { RecordRow } from "@/shared/ui/records.tsx";
import { WINDOW_TONES } from "@/shared/ui/tones.ts";

/** Advertisements as a list shows them. */
export function adRows(ads: readonly Ad[]): RecordRow[] {
  return ads.map((ad) => ({
    key: String(ad.id),
    title: ad.title,
    meta: [
      windowText(ad.starts_at, ad.ends_at),
      `看到 ${count(ad.views)} 次，点击 ${count(ad.clicks)} 次`,
    ],
    picture: ad.picture?.url ?? null,
    badge: windowName(ad.state),
    tone: WINDOW_TONES[ad.state],
  }));
}
