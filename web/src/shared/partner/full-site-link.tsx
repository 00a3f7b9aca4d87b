import { IconExternalLink } from "@tabler/icons-react";
import { useConfig } from "@/shared/config/config.ts";
import { isFramed } from "./framed.ts";

/**
 * Inside a partner's frame, where storage is separate: the full site in a window of its own.
 * Nothing elsewhere.
 */
export function FullSiteLink({ className }: { readonly className: string }) {
  const { siteUrl } = useConfig();
  if (!isFramed()) return null;
  return (
    <a className={className} href={`${siteUrl}/home`} target="_blank" rel="noopener">
      <IconExternalLink size={20} stroke={1.75} aria-hidden="true" />
      打开完整站点
    </a>
  );
}
