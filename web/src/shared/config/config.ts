import { createContext, use } from "react";
import type { RuntimeConfig } from "@/shared/api/model.ts";
import { type Boot, DEFAULT_BOOT } from "./boot.ts";

/** The boot data, for the whole page; the defaults while it is prerendered and hydrated. */
export const BootContext = createContext<Boot>(DEFAULT_BOOT);

/** The runtime configuration (docs/product.md#wire). */
export function useConfig(): RuntimeConfig {
  return use(BootContext).config;
}

/** Whether the page's own data is known; false while the page is prerendered and hydrated. */
export function useIsReady(): boolean {
  return use(BootContext) !== DEFAULT_BOOT;
}
