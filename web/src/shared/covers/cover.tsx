import "./cover.css";
import { type ReactNode, useLayoutEffect, useRef, useState } from "react";
import type { Picture } from "@/shared/api/model.ts";
import { whenNear } from "./near-viewport.ts";
import { thumbAddress } from "./thumb.ts";
import { usePicture } from "./use-picture.ts";

/** Which box a cover fills (specification §9): 750/422, 360/243, 360/203, 2.3, or that of its parent. */
export type CoverRatio = "block" | "search" | "grid" | "ad" | "fill";

interface CoverProps {
  readonly picture: Picture;
  readonly ratio: CoverRatio;
  /** What the picture shows; empty beside a title that says it. */
  readonly alt?: string;
  /** On the first screen: loads at once and first. */
  readonly isEager?: boolean;
  readonly className?: string;
  /** What lies on the picture. */
  readonly children?: ReactNode;
}

/**
 * A sealed picture in a box of fixed ratio: its ThumbHash at once, the picture when it is opened, the error picture
 * when opening returns nothing (specification §8).
 */
export function Cover({ picture, ratio, alt = "", isEager = false, className = "", children }: CoverProps) {
  const box = useRef<HTMLSpanElement>(null);
  const [bypassed, setBypassed] = useState<string | null>(null);
  const [drawn, setDrawn] = useState<string | null>(null);
  const [broken, setBroken] = useState<string | null>(null);
  const isBypassing = bypassed === picture.url;
  const state = usePicture(box, picture, { isEager, isBypassing });
  const isFailed = state.status === "failed" || broken === picture.url;
  const isDrawn = drawn === picture.url && !isFailed;
  // A picture that the service worker could not open gets one more chance on the page.
  const onError = () =>
    (isBypassing || state.status !== "ready" || state.src.startsWith("blob:") ? setBroken : setBypassed)(picture.url);

  return (
    <span ref={box} className={`cover cover-${ratio} ${className}`}>
      {picture.thumb && !isDrawn && <Thumb key={picture.thumb} thumb={picture.thumb} isEager={isEager} />}
      {state.status === "ready" && !isFailed && (
        <img
          src={state.src}
          alt={alt}
          className={isDrawn ? "is-drawn" : ""}
          decoding="async"
          fetchPriority={isEager ? "high" : "auto"}
          onLoad={() => setDrawn(picture.url)}
          onError={onError}
        />
      )}
      {isFailed && <i className="cover-error" role="img" aria-label={alt || "图片无法显示"} />}
      {children}
    </span>
  );
}

interface ThumbProps {
  /** ThumbHash in base64. */
  readonly thumb: string;
  /** Draw at once, not only when it comes near the screen: decoding takes a slow phone some milliseconds. */
  readonly isEager?: boolean;
}

/** A picture's ThumbHash, stretched over its box. */
export function Thumb({ thumb, isEager = false }: ThumbProps) {
  const picture = useRef<HTMLElement>(null);
  useLayoutEffect(() => {
    const element = picture.current;
    if (!element) return undefined;
    const draw = () => {
      const address = thumbAddress(thumb);
      if (address) element.style.backgroundImage = `url(${address})`;
    };
    return isEager ? draw() : whenNear(element, draw);
  }, [thumb, isEager]);
  return <i ref={picture} className="cover-thumb" aria-hidden="true" />;
}
