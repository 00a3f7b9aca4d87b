import { useEffect } from "react";
import { TEXT } from "@/shared/messages/texts.ts";

/** Name the page while the screen is shown: `旅行 - 流影`; without a title, the site alone. */
export function useTitle(title: string): void {
  useEffect(() => {
    document.title = title ? `${title} - ${TEXT.site}` : `${TEXT.site} - ${TEXT.slogan}`;
  }, [title]);
}
