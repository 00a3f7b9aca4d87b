"use no memo"; // Rendered too rarely for memoization to be worth its bytes in the first bundle.

import { NAME_MARK, siteIdentity } from "@/shared/config/site.ts";

const FLOW =
  "M3.2 4.2 5.9 6M2.4 10.1l2.7 1.8M2.6 21.2c1.5-2 2.5-4 3.2-6.4M14.9 2.2l.9 2.3M8.6 6.1h13.2M13.7 6.3c-.9 2-2 3.7-3.5 5.3h9M17.2 8.8c1.2 1.2 2.2 2.4 3 3.9M10.7 14.6v2.3c0 2.3-.8 3.9-2.5 5.2M15.1 14.6v7.2M19.4 14.6v6c0 .8.4 1.2 1.2 1.2s1.3-.5 1.4-2.2";
const SHADOW =
  "M4.3 2.6h8v5.8h-8zM4.3 5.5h8M8.3 8.6v2.5M2 11.3h12.6M4.6 14h7.4v3.2H4.6zM8.3 17.3v3.9c0 .7-.4.9-1.5.8M4.9 19.5c-.5 1-1.3 1.7-2.3 2.4M11.6 19.3c.9.7 1.6 1.5 2.2 2.5M21.7 2.6c-1.4 2.1-3 3.7-5.1 5M22.1 8.9c-1.6 2.5-3.5 4.3-5.8 5.7M22.5 15.2c-1.8 3.1-4.2 5.4-7.3 7";

/** The name that the drawing below shows. */
const DRAWN_NAME = "流影";

/**
 * The site's name: the operator's logo, or drawn, or in letters. `http/branding.py` writes the same
 * elements into prerendered markup.
 */
export function Wordmark({ className = "" }: { readonly className?: string }) {
  const { name, logo } = siteIdentity();
  if (logo) return <img className={className} src={logo} alt="" />;
  if (name !== DRAWN_NAME && name !== NAME_MARK)
    return <b className={`${className} site-name`}>{name}</b>;
  return (
    <svg
      className={className}
      viewBox="0 0 51.5 24.5"
      fill="none"
      stroke="currentColor"
      strokeWidth="2.05"
      strokeLinecap="round"
      strokeLinejoin="round"
      aria-hidden="true"
    >
      <path d={FLOW} />
      <path d={SHADOW} transform="translate(26.7 0)" />
    </svg>
  );
}
