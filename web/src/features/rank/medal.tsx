import { useId } from "react";

interface Metal {
  readonly light: string;
  readonly middle: string;
  readonly dark: string;
  readonly ink: string;
}

/** Gold, silver, bronze: colours of a drawing, not of the interface. */
const METALS: readonly Metal[] = [
  { light: "#fff3bf", middle: "#f3b52f", dark: "#b8730c", ink: "#7a4700" },
  { light: "#ffffff", middle: "#bcc7d6", dark: "#7f8ca0", ink: "#465062" },
  { light: "#ffe3cb", middle: "#dc9160", dark: "#96502a", ink: "#5a2a10" },
];

/** A place in a rank: a medal for 1 to 3, a plain badge from 4 on (specification §3). */
export function Medal({ rank }: { readonly rank: number }) {
  const id = useId();
  const metal = METALS[rank - 1];
  if (!metal) {
    return (
      <span className="rank-badge">
        <span className="sr-only">第</span>
        {rank}
        <span className="sr-only">名</span>
      </span>
    );
  }
  return (
    <svg className="rank-medal" viewBox="0 0 36 40" role="img" aria-label={`第${rank}名`}>
      <linearGradient id={id} x1=".1" x2=".9" y2="1">
        <stop stopColor={metal.light} />
        <stop offset=".5" stopColor={metal.middle} />
        <stop offset="1" stopColor={metal.dark} />
      </linearGradient>
      <path d="M10 20 6.500 37l11.500-5.500L29.500 37 26 20z" fill={metal.dark} />
      <circle cx="18" cy="16" r="14" fill={`url(#${id})`} />
      <circle cx="18" cy="16" r="10.6" fill="none" stroke={metal.light} strokeOpacity=".75" />
      <text x="18" y="21.6" textAnchor="middle" fontSize="16" fontWeight="700" fill={metal.ink}>
        {rank}
      </text>
    </svg>
  );
}
