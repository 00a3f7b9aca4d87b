import "@/shared/ui/base.css";
import { StrictMode } from "react";
import { createRoot, hydrateRoot } from "react-dom/client";
import { App } from "@/app/app.tsx";
import { startSurroundings } from "@/app/surroundings.ts";
import { startWhenIdle } from "@/app/when-idle.ts";
import { answers } from "@/shared/answers/answer-store.ts";
import { type Boot, fetchedBoot, HOME_ANSWER, inlinedBoot } from "@/shared/config/boot.ts";
import { Navigation } from "@/shared/navigation/navigation.tsx";

const HOME_PATH = "/home";

function start(boot: Boot): void {
  const root = document.getElementById("root");
  if (!root) throw new Error("the document lacks #root");
  startSurroundings(boot.config);
  if (boot.home) answers.set(HOME_ANSWER, boot.home);
  const page = (
    <StrictMode>
      <Navigation>
        <App boot={boot} />
      </Navigation>
    </StrictMode>
  );
  // The server sends home's prerendered document for home alone; every other one holds only the waiting emblem.
  if (boot.home && window.location.pathname === HOME_PATH) hydrateRoot(root, page);
  else createRoot(root).render(page);
  startWhenIdle(boot.config);
}

if (window.location.pathname === "/") window.history.replaceState(null, "", HOME_PATH + window.location.search);
const inlined = inlinedBoot(document);
if (inlined) start(inlined);
else void fetchedBoot().then(start);
