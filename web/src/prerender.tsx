import type { ReactNode } from "react";
import { prerender } from "react-dom/static";
import { StaticRouter } from "react-router";
import { App } from "@/app/app.tsx";
import { Waiting } from "@/app/waiting.tsx";
import { DEFAULT_BOOT } from "@/shared/config/boot.ts";
import { createQueryClient } from "@/shared/config/query-client.ts";

async function markup(element: ReactNode): Promise<string> {
  const { prelude } = await prerender(element);
  return new Response(prelude).text();
}

/** Home's shell: head, skeleton, tab bar. */
export async function renderHome(): Promise<string> {
  const queryClient = createQueryClient();
  const html = await markup(
    <StaticRouter location="/home">
      <App boot={DEFAULT_BOOT} queryClient={queryClient} />
    </StaticRouter>,
  );
  // Its timers would keep the build from ending.
  queryClient.clear();
  return html;
}

/** What every other address shows until its code has come. */
export function renderWaiting(): Promise<string> {
  return markup(<Waiting />);
}
