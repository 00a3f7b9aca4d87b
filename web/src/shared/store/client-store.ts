import { create } from "zustand";
import { SESSION_END, TOKEN } from "@/shared/storage/entries.ts";
import { isRecord } from "@/shared/storage/parsers.ts";
import { read, remove, type StorageEntry, subscribe, write } from "@/shared/storage/registry.ts";

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

const PARTNER: StorageEntry<PartnerSession> = {
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

/** How long a session lasts, in milliseconds (docs/product.md#embedding). */
const SESSION_MS = 2 * 60 * 60 * 1000;

/** Fill the store from storage and the configuration; called once at the start. */
export function openClientStore(isShowAd: boolean): void {
  useClientStore.setState({ isShowAd });
  readSession();
  // A session that ends or begins in another tab does so here too.
  subscribe(TOKEN, readSession);
}

function readSession(): void {
  useClientStore.setState({ token: read(TOKEN), xbbBonus: read(PARTNER) });
}

/**
 * Keep a partner's session. It counts from now: the clock of this device may be another than the
 * server's.
 */
export function beginSession(token: string, session: PartnerSession): void {
  write(PARTNER, session);
  write(SESSION_END, Date.now() + SESSION_MS);
  write(TOKEN, token); // The last, since other tabs follow it.
  readSession();
}

/** The visitor is a guest with empty fields again (specification §4). */
export function endSession(): void {
  remove(PARTNER);
  remove(SESSION_END);
  remove(TOKEN);
  readSession();
}

/**
 * End sessions when their time is over, where no answer of the server says so: without required
 * authentication the token is never sent.
 */
export function endSessionsInTime(): void {
  let timer: number | undefined;
  const look = () => {
    window.clearTimeout(timer);
    if (read(TOKEN) === "") return;
    // One that an earlier version kept.
    if (read(SESSION_END) === 0) write(SESSION_END, Date.now() + SESSION_MS);
    const left = read(SESSION_END) - Date.now();
    if (left <= 0) endSession();
    else timer = window.setTimeout(look, Math.min(left, SESSION_MS));
  };
  subscribe(TOKEN, look);
  look();
}
