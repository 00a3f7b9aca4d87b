import "@/shared/ui/base.css";
import { StrictMode } from "react";
import { createRoot, hydrateRoot } from "react-dom/client";
import { BrowserRouter } from "react-router";
import { App } from "@/app/app.tsx";
import { startSurroundings } from "@/app/surroundings.ts";
import { startWhenIdle } from "@/app/when-idle.ts";
import { type Boot, fetchedBoot, inlinedBoot } from "@/shared/config/boot.ts";
import { createQueryClient, HOME_QUERY } from "@/shared/config/query-client.ts";

const HOME = "/home";

function start(boot: Boot): void {
  const root = document.getElementById("root");
  if (!root) throw new Error("the document lacks #root");
  startSurroundings(boot.config);
  const queryClient = createQueryClient();
  if (boot.home) queryClient.setQueryData(HOME_QUERY, boot.home);
  const page = (
    <StrictMode>
      <BrowserRouter>
        <App boot={boot} queryClient={queryClient} />
      </BrowserRouter>
    </StrictMode>
  );
  // The server sends home's prerendered document for home alone; every other one holds only the waiting emblem.
  if (boot.home && window.location.pathname === HOME) hydrateRoot(root, page);
  else createRoot(root).render(page);
  startWhenIdle(boot.config);
}

if (window.location.pathname === "/") window.history.replaceState(null, "", HOME + window.location.search);
const inlined = inlinedBoot(document);
if (inlined) start(inlined);
else void fetchedBoot().then(start);
