import type { RuntimeConfig } from "@/shared/api/model.ts";
import { currentLocation, navigate, onNavigation } from "@/shared/navigation/history.ts";
import { ASKED } from "@/shared/partner/departure.ts";
import { exchange, needsSession } from "@/shared/partner/exchange.ts";
import { type HostMessage, onHostMessage, tellHost } from "@/shared/partner/frame.ts";
import { setTheme } from "@/shared/ui/theme.ts";

/** Exchange messages with the page that frames this one (docs/embedding.md). */
export function followHost({ frameOrigins }: RuntimeConfig): void {
  onHostMessage(frameOrigins, obey);
  let told = "";
  const tell = () => {
    const { pathname } = currentLocation();
    if (pathname === told) return;
    told = pathname;
    // Without the query: search words and share links stay inside.
    tellHost(frameOrigins, { type: "navigated", path: pathname });
    ask();
  };
  const ask = () => {
    const { pathname, search } = currentLocation();
    if (pathname === "/vendor" && needsSession(search))
      tellHost(frameOrigins, { type: "session-needed" });
  };
  onNavigation(tell);
  exchange.subscribe(({ phase }) => {
    if (phase === "refused") ask();
  });
  tellHost(frameOrigins, { type: "ready" });
  tell();
}

function obey(message: HostMessage): void {
  switch (message.type) {
    case "open":
      navigate(message.path);
      break;
    case "session":
      // A new document: everything loaded by the last session goes.
      window.location.replace(
        `/vendor?${new URLSearchParams({ code: message.code, [ASKED]: "1" })}`,
      );
      break;
    case "theme":
      setTheme(message.theme);
      break;
  }
}
