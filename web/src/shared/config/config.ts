import { createContext, use } from "react";
import type { RuntimeConfig } from "@/shared/api/model.ts";
import { type Boot, DEFAULT_CONFIG } from "./boot.ts";

/** The boot data, for the whole page; the defaults while it is prerendered and hydrated. */
export const BootContext = createContext<Boot>({ config: DEFAULT_CONFIG, home: null });

/** The runtime configuration (decisions §1). */
export function useConfig(): RuntimeConfig {
  return use(BootContext).config;
}
