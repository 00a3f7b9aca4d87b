import { useEffect } from "react";
import { TEXT } from "@/shared/messages/texts.ts";

/**
 * Set the document's title while the screen is shown: `旅行 - 流影`; without a title, just the site's
 * name.
 */
export function useTitle(title: string): void {
  useEffect(() => {
    document.title = title ? `${title} - ${TEXT.site}` : `${TEXT.site} - ${TEXT.slogan}`;
  }, [title]);
}
