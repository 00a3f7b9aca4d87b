"use no memo"; // Rendered too rarely for memoization to be worth its bytes in the first bundle.

import { type ComponentType, lazy, useState } from "react";
import { loadCode } from "@/shared/load-code.ts";

/** A screen whose code is loaded when it is opened, or earlier by `preload`. */
export interface ComingScreen {
  (): React.ReactNode;
  /** Load the code now, so that opening the screen draws it at once. */
  preload(): Promise<void>;
  /** Load the code again when the screen is next drawn, after a failure. */
  renew(): void;
}

/**
 * Like React's `lazy`, but code that has already arrived is drawn directly: `lazy` suspends once
 * even then, and its fallback stays for a moment, which is most of the time between a tap and the
 * moving picture.
 */
export function coming(load: () => Promise<ComponentType>): ComingScreen {
  let pending: Promise<{ default: ComponentType }> | undefined;
  let arrived: ComponentType | undefined;
  const fetchOnce = () => {
    pending ??= loadCode(load).then(
      (screen) => {
        arrived = screen;
        return { default: screen };
      },
      (error: unknown) => {
        pending = undefined;
        throw error;
      },
    );
    return pending;
  };
  let Waited = lazy(fetchOnce);
  function Coming() {
    // Decided once: switching components would remount the screen.
    const [Screen] = useState(() => arrived ?? Waited);
    return <Screen />;
  }
  return Object.assign(Coming, {
    preload: async () => void (await fetchOnce()),
    // `lazy` remembers a failure for good.
    renew: () => {
      Waited = lazy(fetchOnce);
    },
  });
}
