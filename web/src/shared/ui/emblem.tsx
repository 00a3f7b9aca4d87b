"use no memo"; // Rendered too rarely for memoization to be worth its bytes in the first bundle.

import { useId } from "react";
import { siteIdentity } from "@/shared/config/site.ts";

const PLAY =
  "M10 9.8C10 6.3 13.8 4.1 16.8 5.9L41.3 20.4C44.3 22.1 44.3 26.4 41.3 28.1L16.8 42.3C13.8 44.1 10 41.9 10 38.4Z";
const STREAM = "M2 33.6C11 25.2 17.5 27.2 23.5 29.2 30.5 31.5 36 28.2 50 19.8";

/** The emblem: a play mark with light flowing through it. */
export function Emblem({ className = "" }: { readonly className?: string }) {
  const id = useId();
  const { icon } = siteIdentity();
  if (icon) return <img className={className} src={icon} alt="" />;
  return (
    <svg className={className} viewBox="9 4 36 40" aria-hidden="true">
      <linearGradient id={`${id}a`} x1="8" y1="6" x2="40" y2="36" gradientUnits="userSpaceOnUse">
        <stop stopColor="#ff9a72" />
        <stop offset="1" stopColor="#ff4f47" />
      </linearGradient>
      <linearGradient id={`${id}b`} x1="10" y1="44" x2="42" y2="24" gradientUnits="userSpaceOnUse">
        <stop stopColor="#b3202f" />
        <stop offset="1" stopColor="#f0483f" />
      </linearGradient>
      <clipPath id={`${id}c`}>
        <path d={PLAY} />
      </clipPath>
      <mask id={`${id}m`} maskUnits="userSpaceOnUse" x="0" y="0" width="48" height="48">
        <path fill="#fff" d="M0 0H48V48H0Z" />
        <path fill="none" stroke="#000" strokeWidth="2.6" d={STREAM} />
      </mask>
      <g mask={`url(#${id}m)`} clipPath={`url(#${id}c)`}>
        <path fill={`url(#${id}a)`} d="M0 0H48V48H0Z" />
        <path fill={`url(#${id}b)`} d={`${STREAM}V50H2Z`} />
      </g>
    </svg>
  );
}
