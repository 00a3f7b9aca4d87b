"use no memo"; // Rendered too rarely for memoization to be worth its bytes in the first bundle.

import { type ReactNode, useEffect, useRef, useState } from "react";
import { whenNear } from "./near-viewport.ts";

/**
 * Draws its content only when it comes near the screen: what lies far below costs nothing until
 * then.
 */
export function NearViewportBox({ children }: { readonly children: ReactNode }) {
  const box = useRef<HTMLDivElement>(null);
  const [isNear, setNear] = useState(false);
  useEffect(() => {
    if (!isNear && box.current) return whenNear(box.current, () => setNear(true));
    return undefined;
  }, [isNear]);
  return <div ref={box}>{isNear && children}</div>;
}
