import type { ReactNode } from "react";
import { prerender } from "react-dom/static";
import { App } from "@/app/app.tsx";
import { TabBar } from "@/app/tab-bar.tsx";
import { Waiting } from "@/app/waiting.tsx";
import { ListSkeleton } from "@/screens/list/list-skeleton.tsx";
import { DEFAULT_BOOT } from "@/shared/config/boot.ts";
import { Navigation } from "@/shared/navigation/navigation.tsx";

async function markup(element: ReactNode): Promise<string> {
  const { prelude } = await prerender(element);
  return new Response(prelude).text();
}

/** Home's shell: head, skeleton, tab bar. */
export function renderHome(): Promise<string> {
  return markup(
    <Navigation initial={{ pathname: "/home", search: "" }}>
      <App boot={DEFAULT_BOOT} />
    </Navigation>,
  );
}

/** The list's: skeleton and, on wide screens, the main navigation. The application draws it anew. */
export function renderList(): Promise<string> {
  return markup(
    <Navigation initial={{ pathname: "/list", search: "" }}>
      <main className="shell">
        <ListSkeleton />
      </main>
      <TabBar />
    </Navigation>,
  );
}

/** Shown at every other address until its code has arrived. */
export function renderWaiting(): Promise<string> {
  return markup(<Waiting />);
}
