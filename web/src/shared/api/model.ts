import type { WireConfig, WireNotice } from "./wire.ts";

/** A picture at an encrypted address (docs/product.md#covers). */
export interface Picture {
  /** Address of the encrypted object; empty where there is no picture. */
  readonly url: string;
  /** The same picture as JPEG, for browsers without AVIF. */
  readonly jpeg: string | null;
  /** ThumbHash in base64. */
  readonly thumb: string | null;
}

export interface Label {
  readonly id: number;
  readonly name: string;
}

/** A video in a list (specification §3). Times are milliseconds since 1970. */
export interface Video {
  readonly kind: "video";
  readonly id: number;
  readonly title: string;
  readonly cover: Picture;
  /** HLS master playlist; empty while locked. */
  readonly videoPath: string;
  readonly createdAt: number;
  readonly updatedAt: number;
  readonly pageViews: number;
  /** Running time as text, `12:05`. */
  readonly playTime: string;
  /** Seconds. */
  readonly duration: number;
  /** Pixels, upright. */
  readonly width: number;
  readonly height: number;
  readonly labels: readonly Label[];
  readonly categoryId: number;
  readonly categoryName: string;
  readonly isLocked: boolean;
  /**
   * What `/playVideoShare?id=` is opened with from a tile: the same for everybody, never a visit.
   * Null for an open video.
   */
  readonly shareId: string | null;
  /** Place in a rank, from 1; null outside ranks. */
  readonly rank: number | null;
}

/** An advertisement, alone or among videos. */
export interface Ad {
  readonly kind: "ad";
  readonly id: number;
  readonly title: string;
  readonly text: string;
  /** `https:`, `http:` or a path of this site; empty when the server sent anything else. */
  readonly url: string;
  readonly image: Picture;
  /** Countdown of a pre-roll; 0 elsewhere. */
  readonly seconds: number;
}

/** A collection of videos arranged by the operator. */
export interface Topic {
  readonly id: number;
  readonly title: string;
  readonly intro: string;
  /** Of one of its videos; empty where all are locked. */
  readonly cover: Picture;
  /** Listed videos. */
  readonly videoCount: number;
}

export interface Category {
  readonly id: number;
  readonly name: string;
  readonly icon: Picture;
}

export interface BannerTag {
  readonly id: number;
  readonly name: string;
}

/** One page of a list. */
export interface Page<T> {
  readonly items: readonly T[];
  readonly hasNext: boolean;
  /** Where the page ended, for the next one: items added in front meanwhile do not shift it. */
  readonly after?: string | undefined;
  readonly total: number;
  readonly perPage: number;
}

/** A category's block on home; at most one advertisement beside its videos. */
export interface HomeBlock {
  readonly id: number;
  readonly name: string;
  readonly videos: readonly Video[];
  readonly ad: Ad | null;
}

/** The pool behind 换一批. */
export interface Recommendation {
  readonly videos: readonly Video[];
  readonly seed: number;
  readonly nextSeed: number;
}

export interface TabEntry {
  readonly key: string;
  readonly name: string;
  /** Name of an icon of our set. */
  readonly icon: string;
  readonly opens: "route" | "link";
  readonly url: string;
  readonly routes: readonly string[];
}

export interface AppLink {
  readonly id: number;
  readonly title: string;
  readonly text: string;
  readonly url: string;
  readonly image: Picture | null;
}

/** The tool that counts page views, and its address. */
export interface AnalyticsTool {
  readonly kind: "none" | "beacon" | "matomo" | "google";
  readonly url: string;
  /** The site or the property there; empty where the tool has none. */
  readonly id: string;
}

/** What the client must know before it starts (docs/product.md#wire). */
export interface RuntimeConfig {
  readonly version: string;
  readonly apiBase: string;
  readonly mediaBase: string;
  readonly isShowAd: boolean;
  readonly isAuthRequired: boolean;
  /** Whether the site is shown in partners' pages: links out of the frame are left out. */
  readonly isThirdParty: boolean;
  /** Whether a guest who opens a video is sent to the vendor page. */
  readonly loginVideoSwitch: boolean;
  /** Origin of the full site; empty where none is set. */
  readonly siteUrl: string;
  readonly site: Site;
  /** Origins whose pages may frame this one and exchange messages with it. */
  readonly frameOrigins: readonly string[];
  readonly analytics: AnalyticsTool;
  readonly tabs: readonly TabEntry[];
  /** Key id to AES-128 key in base64. */
  readonly coverKeys: Readonly<Record<string, string>>;
  readonly community: AppLink | null;
  readonly exchangeLinks: readonly AppLink[];
  readonly shortCategory: number;
  readonly shareCategory: number;
  readonly perPage: number;
  /** Undefined where nothing is gated. */
  readonly ageGate?: AgeGate | undefined;
  /** Whether there is a page of what was removed. */
  readonly hasRemovals?: boolean | undefined;
}

/** The question of the age gate, and whether it comes before everything. */
export type AgeGate = NonNullable<WireConfig["age_gate"]>;

/** Home's first screen. */
export interface Home {
  readonly categories: readonly Category[];
  readonly bannerTags: readonly BannerTag[];
  readonly banners: readonly Ad[];
  readonly recommendation: Recommendation;
  readonly blocks: readonly HomeBlock[];
  readonly topics: readonly Topic[];
}

/** A message from the operator to all visitors. */
/**
 * A notice from the server, its time in milliseconds since 1970. `content` is the operator's HTML:
 * sanitize it before display.
 */
export type Notice = Readonly<
  Omit<WireNotice, "updated_at" | "imgbase64"> & {
    updatedAt: number;
    image: Picture;
    /** Width by height of the image; 0 where that is not known. */
    ratio: number;
  }
>;

/** What the site calls itself. */
export interface Site {
  readonly name: string;
  readonly slogan: string;
  readonly footer: string;
  /** How to reach the operator; empty where none is set. */
  readonly contact: string;
  /** Address of a picture in place of the wordmark; empty where none is set. */
  readonly logo: string;
  /** Address of a picture in place of the emblem; likewise. */
  readonly icon: string;
}
