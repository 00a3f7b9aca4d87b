"use no memo"; // Rendered too rarely for memoization to be worth its bytes in the first bundle.

import "./app.css";
import { useSyncExternalStore } from "react";
import { type Boot, DEFAULT_BOOT } from "@/shared/config/boot.ts";
import { BootContext } from "@/shared/config/config.ts";
import { MessageBar } from "@/shared/ui/message-bar.tsx";
import { FeedbackLayer } from "./feedback-layer.tsx";
import { Screens } from "./screens.tsx";
import { TabBar } from "./tab-bar.tsx";

const NOTHING_CHANGES = () => () => {};

/**
 * The whole page inside a router. A prerendered one is hydrated with the defaults and then receives
 * its own data.
 */
export function App({ boot }: { readonly boot: Boot }) {
  const known = useSyncExternalStore(
    NOTHING_CHANGES,
    () => boot,
    () => DEFAULT_BOOT,
  );
  return (
    <BootContext value={known}>
      <a className="skip-link" href="#screen">
        跳到内容
      </a>
      <main className="shell" id="screen" tabIndex={-1}>
        <Screens />
      </main>
      <TabBar />
      <FeedbackLayer />
      <MessageBar />
    </BootContext>
  );
}
