import { getConfig } from "@/shared/api/calls.ts";
import { cacheInlined } from "@/shared/api/inlined.ts";
import { configFromWire, homeFromWire, pictureFromWire } from "@/shared/api/mapping.ts";
import type { Home, Picture, RuntimeConfig } from "@/shared/api/model.ts";
import { DEFAULT_TABS } from "@/shared/api/tabs.gen.ts";
import type { WireBoot } from "@/shared/api/wire.ts";
import { siteIdentity } from "./site.ts";

/** What the page knows before its first request. */
export interface Boot {
  readonly config: RuntimeConfig;
  /** Home's first screen; null when the page is another one. */
  readonly home: Home | null;
  /** What the document announced for the first screen. */
  readonly pictures: readonly Picture[];
}

/** What holds until the server's configuration is known; the page is prerendered with it. */
export const DEFAULT_CONFIG: RuntimeConfig = {
  version: "",
  apiBase: "",
  mediaBase: "",
  isShowAd: true,
  isAuthRequired: false,
  isThirdParty: false,
  loginVideoSwitch: false,
  siteUrl: "",
  site: siteIdentity(),
  frameOrigins: [],
  analytics: { kind: "none", url: "", id: "" },
  tabs: DEFAULT_TABS,
  coverKeys: {},
  community: null,
  exchangeLinks: [],
  shortCategory: 72,
  shareCategory: 73,
  perPage: 24,
};

/** What the page is prerendered and hydrated with. */
export const DEFAULT_BOOT: Boot = { config: DEFAULT_CONFIG, home: null, pictures: [] };

/**
 * The data that the server inlined into the page; null if there are none (the development server).
 * Its answers wait for the calls that ask for them.
 */
export function inlinedBoot(page: Document): Boot | null {
  const text = page.getElementById("boot")?.textContent;
  if (!text) return null;
  const wire = JSON.parse(text) as WireBoot;
  cacheInlined(wire.answers);
  return {
    config: configFromWire(wire.config),
    home: wire.home ? homeFromWire(wire.home) : null,
    pictures: wire.pictures.map(pictureFromWire),
  };
}

/** The boot data of a page without inlined ones; the defaults if the server does not answer. */
export async function fetchedBoot(): Promise<Boot> {
  try {
    return { ...DEFAULT_BOOT, config: await getConfig() };
  } catch (error) {
    console.warn(error);
    return DEFAULT_BOOT;
  }
}
