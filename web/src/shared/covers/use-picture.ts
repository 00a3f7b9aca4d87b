"use no memo"; // A tile is rendered once; lists keep its element.

import { type RefObject, useEffect, useRef, useState } from "react";
import type { Picture } from "@/shared/api/model.ts";
import { knownAvifSupport, supportsAvif } from "./avif.ts";
import { isWorkerOpening, openedCovers, sealedAddress } from "./cover-store.ts";
import { whenNear } from "./near-viewport.ts";

/** What to draw: nothing yet, a picture at an address, or the error picture. */
export type PictureState =
  | { readonly status: "loading" }
  | { readonly status: "ready"; readonly src: string }
  | { readonly status: "failed" };

const LOADING: PictureState = { status: "loading" };
const FAILED: PictureState = { status: "failed" };

/** When a picture that failed is asked for again, milliseconds. */
const RETRY_AFTER_MS = 3000;

interface Options {
  /** Load without waiting until the element comes near the screen. */
  readonly isEager: boolean;
  /** The service worker failed for this picture: decrypt it on the page. */
  readonly isBypassing: boolean;
}

/**
 * Set once pictures are drawn by the page: until then the document may be the server's, which has
 * no addresses.
 */
let hasBegun = false;

/**
 * The picture without waiting where a service worker decrypts it: most tiles of a long list are
 * drawn only once.
 */
function stateAtOnce(picture: Picture, { isBypassing }: Options): PictureState {
  const isAvif = knownAvifSupport();
  if (!hasBegun || !picture.url || isBypassing || isAvif === null || !isWorkerOpening())
    return LOADING;
  return { status: "ready", src: sealedAddress(picture, isAvif) };
}

/**
 * An encrypted image's drawable address (docs/product.md#covers): through the service worker if one
 * is in control, otherwise decrypted on the page into a blob that is revoked when the element goes.
 */
export function usePicture(
  ref: RefObject<Element | null>,
  picture: Picture,
  options: Options,
): PictureState {
  const { isEager, isBypassing } = options;
  const { url, jpeg } = picture;
  const key = `${url} ${isBypassing}`;
  const [found, setFound] = useState(() => ({ key, state: stateAtOnce(picture, options) }));
  const openedOnPage = useRef("");
  const knownKey = useRef(found.state.status === "ready" ? key : "");

  useEffect(() => {
    hasBegun = true;
    const element = ref.current;
    if (!url || !element || knownKey.current === key) return;
    knownKey.current = "";
    let isGone = false;
    let timer: ReturnType<typeof setTimeout> | undefined;
    let acquired: string | undefined;
    const show = (state: PictureState) => setFound({ key, state });
    const load = async () => {
      const address = sealedAddress({ url, jpeg }, await supportsAvif());
      if (isGone || acquired) return;
      // A restored view keeps the way in which it got its picture: the other way would fetch it
      // again.
      const isOnPage = isBypassing || openedOnPage.current === address || !isWorkerOpening();
      if (!isOnPage) return show({ status: "ready", src: address });
      openedOnPage.current = address;
      acquired = address;
      try {
        const src = await openedCovers.acquire(address);
        if (!isGone) show({ status: "ready", src });
      } catch (error) {
        console.warn(error);
        if (isGone) return;
        show(FAILED);
        acquired = undefined;
        // A network that was lost for a moment leaves no error pictures behind: one more attempt
        // after a while, and one whenever the network is back.
        timer ??= setTimeout(load, RETRY_AFTER_MS);
        window.addEventListener("online", load);
      }
    };
    const stop = isEager ? void load() : whenNear(element, load);
    return () => {
      isGone = true;
      stop?.();
      clearTimeout(timer);
      window.removeEventListener("online", load);
      if (acquired) openedCovers.release(acquired);
    };
  }, [ref, url, jpeg, key, isEager, isBypassing]);

  if (!url) return FAILED;
  return found.key === key ? found.state : LOADING;
}
