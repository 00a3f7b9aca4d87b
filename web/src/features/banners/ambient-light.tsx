"use no memo"; // Rendered too rarely for memoization to be worth its bytes in the first bundle.
import "./banners.css";
import { useState } from "react";
import { Thumb } from "@/shared/covers/cover.tsx";

/**
 * The glow of a picture behind the top of a page: its stretched ThumbHash; a new one fades in over
 * the last.
 */
export function AmbientLight({ thumb }: { readonly thumb: string | null }) {
  const [layers, setLayers] = useState<readonly string[]>(thumb ? [thumb] : []);
  if (thumb && layers.at(-1) !== thumb)
    setLayers([...layers.filter((layer) => layer !== thumb).slice(-1), thumb]);
  return (
    <div className="ambient" aria-hidden="true">
      {layers.map((layer) => (
        <Thumb key={layer} thumb={layer} isEager />
      ))}
    </div>
  );
}
