import "@/shared/ui/base.css";
import { StrictMode, startTransition } from "react";
import { createRoot, hydrateRoot } from "react-dom/client";
import { App } from "@/app/app.tsx";
import { startLater } from "@/app/later.ts";
import { SCREENS } from "@/app/screen-components.ts";
import { startSurroundings } from "@/app/surroundings.ts";
import { type Boot, fetchedBoot, inlinedBoot } from "@/shared/config/boot.ts";
import { setSite } from "@/shared/config/site.ts";
import { warmCovers } from "@/shared/covers/cover-store.ts";
import { Navigation } from "@/shared/navigation/navigation.tsx";
import { holdCode } from "@/shared/partner/departure.ts";
import { queryCache } from "@/shared/server-state/query-cache.ts";
import { queryKeys } from "@/shared/server-state/query-keys.ts";

const HOME_PATH = "/home";
const LIST_PATH = "/list";

function start(boot: Boot): void {
  const root = document.getElementById("root");
  if (!root) throw new Error("the document lacks #root");
  setSite(boot.config.site);
  startSurroundings(boot.config);
  if (boot.home) queryCache.set(queryKeys.home, boot.home);
  void warmCovers(boot.pictures);
  const page = (
    <StrictMode>
      <Navigation>
        <App boot={boot} />
      </Navigation>
    </StrictMode>
  );
  // As a transition: in slices that let touches and the browser's own work through, instead of one
  // long task.
  startTransition(() => {
    // The server sends home's prerendered document only for home; every other one contains just the
    // waiting emblem, or a list's boxes.
    if (boot.home && window.location.pathname === HOME_PATH) hydrateRoot(root, page);
    else createRoot(root).render(page);
  });
  startLater(boot.config);
}

// Before any request: none may reveal the address that contains a partner's code.
holdCode();
if (window.location.pathname === "/")
  window.history.replaceState(null, "", HOME_PATH + window.location.search);
const ready = Promise.all([
  inlinedBoot(document) ?? fetchedBoot(),
  // The first picture is painted before the start keeps the browser from painting.
  window.firstPicture?.painted,
  // A list's boxes stay until the list itself can be drawn, or say that its code did not come.
  window.location.pathname === LIST_PATH && SCREENS.list?.preload?.().catch(() => {}),
]);
void ready.then(([boot]) => start(boot));
