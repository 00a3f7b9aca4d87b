import { type ComponentType, lazy, useState } from "react";

/** A screen whose code is fetched when it is opened, or earlier by `preload`. */
export interface ComingScreen {
  (): React.ReactNode;
  /** Fetch the code now, so that opening the screen draws it at once. */
  preload(): Promise<void>;
}

/**
 * Like React's `lazy`, but code that has come already is drawn directly: `lazy` suspends once even
 * then, and its fallback stays for a moment, which is most of the time between a tap and the moving
 * picture.
 */
export function coming(load: () => Promise<ComponentType>): ComingScreen {
  let pending: Promise<{ default: ComponentType }> | undefined;
  let arrived: ComponentType | undefined;
  const fetchOnce = () => {
    pending ??= load().then(
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
  const Waited = lazy(fetchOnce);
  function Coming() {
    // Decided once: a change from one component to the other would mount the screen anew.
    const [Arrived] = useState(() => arrived);
    return Arrived ? <Arrived /> : <Waited />;
  }
  return Object.assign(Coming, { preload: async () => void (await fetchOnce()) });
}
