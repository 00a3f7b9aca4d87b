import { createStore } from "zustand/vanilla";
import { useClientStore } from "@/shared/store/client-store.ts";
import { arrival } from "./departure.ts";

/** The state of exchanging a partner's code for a session. */
export type ExchangePhase = "idle" | "running" | "failed" | "refused";

export const exchange = createStore<{ readonly phase: ExchangePhase }>(() => ({ phase: "idle" }));

/**
 * Whether to ask the host for a code: there is neither a session nor a code nor an exchange under
 * way. A code given on request and then refused is not followed by another request: both would go
 * on for ever.
 */
export function needsSession(search: string): boolean {
  const { phase } = exchange.getState();
  if (arrival.code !== null || phase === "running" || phase === "failed") return false;
  if (phase === "refused") return !arrival.wasAsked;
  const hasEnded = new URLSearchParams(search).get("logout") === "logout";
  return hasEnded || useClientStore.getState().token === "";
}
