"use no memo"; // A tile is rendered once; lists keep its element.

import "./cover.css";
import {
  type ReactNode,
  type SyntheticEvent,
  useEffect,
  useLayoutEffect,
  useRef,
  useState,
} from "react";
import type { Picture } from "@/shared/api/model.ts";
import { whenNear } from "./near-viewport.ts";
import { thumbAddress } from "./thumb.ts";
import { usePicture } from "./use-picture.ts";

/**
 * Which box a cover fills (specification §9): 750/422, 360/243, 360/203, 2.3, or that of its
 * parent.
 */
export type CoverRatio = "block" | "search" | "grid" | "ad" | "fill";

interface CoverProps {
  readonly picture: Picture;
  readonly ratio: CoverRatio;
  /** What the picture shows; empty beside a title that says it. */
  readonly alt?: string;
  /** On the first screen: loads at once and first. */
  readonly isEager?: boolean;
  readonly className?: string;
  /** Called when the picture is shown, or will not come. */
  readonly onSettled?: () => void;
  /** What lies on the picture. */
  readonly children?: ReactNode;
}

/**
 * An encrypted image in a box of fixed ratio: its ThumbHash at once, the picture once decrypted,
 * the error picture when decryption returns nothing (specification §8).
 */
export function Cover(props: CoverProps) {
  const { picture, ratio, alt = "", isEager = false, className = "", onSettled, children } = props;
  const box = useRef<HTMLSpanElement>(null);
  const [bypassed, setBypassed] = useState<string | null>(null);
  const [broken, setBroken] = useState<string | null>(null);
  const isBypassing = bypassed === picture.url;
  const state = usePicture(box, picture, { isEager, isBypassing });
  const isFailed = state.status === "failed" || broken === picture.url;
  // A picture that the service worker could not decrypt gets one more chance on the page.
  const onError = ({ currentTarget }: SyntheticEvent<HTMLImageElement>) =>
    (currentTarget.src.startsWith("blob:") ? setBroken : setBypassed)(picture.url);
  useEffect(() => {
    if (isFailed) onSettled?.();
  }, [isFailed, onSettled]);

  return (
    <span ref={box} className={`cover cover-${ratio} ${className}`}>
      {picture.thumb && <Thumb key={picture.thumb} thumb={picture.thumb} isEager={isEager} />}
      {state.status === "ready" && !isFailed && (
        <img
          key={state.src}
          src={state.src}
          alt={alt}
          decoding="async"
          loading={isEager ? "eager" : "lazy"}
          fetchPriority={isEager ? "high" : "auto"}
          onLoad={(event) => {
            showDrawn(event);
            onSettled?.();
          }}
          onError={onError}
        />
      )}
      {isFailed && (
        <i
          className={picture.url ? "cover-error" : "cover-error cover-none"}
          role="img"
          aria-label={alt || "图片无法显示"}
        />
      )}
      {children}
    </span>
  );
}

/** Outside React: otherwise each cover would rerender for nothing but a class. */
function showDrawn({ currentTarget }: SyntheticEvent<HTMLImageElement>): void {
  if (currentTarget.loading !== "eager") return;
  currentTarget.classList.add("is-drawn");
  const thumb = currentTarget.parentElement?.querySelector<HTMLElement>(":scope > .cover-thumb");
  if (thumb) thumb.hidden = true;
}

/** A picture that arrives within this time needs no ThumbHash before it, in milliseconds. */
const THUMB_DELAY_MS = 80;

interface ThumbProps {
  /** ThumbHash in base64. */
  readonly thumb: string;
  /**
   * Draw at once, not only when it comes near the screen: decoding takes a slow phone some
   * milliseconds.
   */
  readonly isEager?: boolean;
}

/** Whether the picture over it has come. */
function hasPicture({ nextElementSibling: picture }: Element): boolean {
  return picture instanceof HTMLImageElement && picture.complete && picture.naturalWidth > 0;
}

/** A picture's ThumbHash, stretched over its box. */
export function Thumb({ thumb, isEager = false }: ThumbProps) {
  const picture = useRef<HTMLElement>(null);
  useLayoutEffect(() => {
    const element = picture.current;
    if (!element) return undefined;
    const draw = () => {
      const address = element.hidden || hasPicture(element) ? null : thumbAddress(thumb);
      if (address) element.style.backgroundImage = `url(${address})`;
    };
    if (isEager) return draw();
    let timer: ReturnType<typeof setTimeout> | undefined;
    const stop = whenNear(element, () => {
      timer = setTimeout(draw, THUMB_DELAY_MS);
    });
    return () => {
      stop();
      clearTimeout(timer);
    };
  }, [thumb, isEager]);
  return <i ref={picture} className="cover-thumb" aria-hidden="true" />;
}
