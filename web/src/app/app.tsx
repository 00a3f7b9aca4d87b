import "./app.css";
import { type QueryClient, QueryClientProvider } from "@tanstack/react-query";
import type { Boot } from "@/shared/config/boot.ts";
import { BootContext } from "@/shared/config/config.ts";
import { MessageBar } from "@/shared/ui/message-bar.tsx";
import { Screens } from "./screens.tsx";
import { TabBar } from "./tab-bar.tsx";

/** The whole page, inside a router. */
export function App({ boot, queryClient }: { readonly boot: Boot; readonly queryClient: QueryClient }) {
  return (
    <BootContext value={boot}>
      <QueryClientProvider client={queryClient}>
        <a className="skip-link" href="#screen">
          跳到内容
        </a>
        <main className="shell" id="screen" tabIndex={-1}>
          <Screens />
        </main>
        <TabBar />
        <MessageBar />
      </QueryClientProvider>
    </BootContext>
  );
}
