import { useEffect } from "react";
import { siteIdentity } from "@/shared/config/site.ts";

/**
 * Set the document's title while the screen is shown: `旅行 - 流影`; without a title, just the site's
 * name.
 */
export function useTitle(title: string): void {
  useEffect(() => {
    const { name, slogan } = siteIdentity();
    document.title = (title ? [title, name] : [name, slogan]).filter(Boolean).join(" - ");
  }, [title]);
}
