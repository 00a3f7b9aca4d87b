import { create } from "zustand";
import { TOKEN } from "@/shared/storage/entries.ts";
import { isRecord } from "@/shared/storage/parsers.ts";
import { read, type StorageEntry, subscribe } from "@/shared/storage/registry.ts";

/** What a partner's session brings (specification §3). */
export interface PartnerSession {
  readonly isGuest: boolean;
  readonly domain: string;
  readonly userid: string;
  readonly cid: string;
  readonly wsUrl: string;
  readonly promoUrl: string;
  readonly ad: string;
  readonly activity: string;
  readonly loginVideoSwitch: boolean;
}

const GUEST: PartnerSession = {
  isGuest: true,
  domain: "",
  userid: "",
  cid: "",
  wsUrl: "",
  promoUrl: "",
  ad: "",
  activity: "",
  loginVideoSwitch: false,
};

export const PARTNER: StorageEntry<PartnerSession> = {
  key: "xbbBonus",
  area: "local",
  parse: (text) => {
    const value: unknown = JSON.parse(text);
    if (!isRecord(value)) return undefined;
    const known = Object.entries(GUEST).map(([name, initial]) => {
      const stored = value[name];
      return [name, typeof stored === typeof initial ? stored : initial];
    });
    return Object.fromEntries(known) as PartnerSession;
  },
  format: JSON.stringify,
  initial: GUEST,
};

interface ClientState {
  /** Key of the tab that was tapped last. */
  readonly tab: string;
  readonly isShowAd: boolean;
  readonly xbbBonus: PartnerSession;
  readonly token: string;
  readonly appMoneyLink: string;
  readonly resizeData: { readonly clientWidth: number };
}

/**
 * The client's own state (specification §3). Token and partner session are kept in local storage.
 */
export const useClientStore = create<ClientState>(() => ({
  tab: "home",
  isShowAd: true,
  xbbBonus: GUEST,
  token: "",
  appMoneyLink: "",
  resizeData: { clientWidth: 0 },
}));

/** Fill the store from storage and the configuration; called once at the start. */
export function openClientStore(isShowAd: boolean): void {
  useClientStore.setState({ isShowAd });
  readSession();
  // A session that ends or begins in another tab does so here too.
  subscribe(TOKEN, readSession);
}

/** Take token and partner's session from storage. */
export function readSession(): void {
  useClientStore.setState({ token: read(TOKEN), xbbBonus: read(PARTNER) });
}
