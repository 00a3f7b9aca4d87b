import "@/shared/ui/base.css";
import { StrictMode } from "react";
import { createRoot } from "react-dom/client";
import { BrowserRouter } from "react-router";
import { App } from "@/app/app.tsx";
import { startSurroundings } from "@/app/surroundings.ts";
import { fetchedBoot, inlinedBoot } from "@/shared/config/boot.ts";
import { createQueryClient } from "@/shared/config/query-client.ts";

const root = document.getElementById("root");
if (!root) throw new Error("the document lacks #root");

const boot = inlinedBoot(document) ?? (await fetchedBoot());
startSurroundings(boot.config);
createRoot(root).render(
  <StrictMode>
    <BrowserRouter>
      <App boot={boot} queryClient={createQueryClient()} />
    </BrowserRouter>
  </StrictMode>,
);
