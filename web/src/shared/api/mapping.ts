import type {
  Ad,
  AppLink,
  Category,
  Home,
  HomeBlock,
  Page,
  Picture,
  Recommendation,
  RuntimeConfig,
  TabEntry,
  Topic,
  Video,
} from "./model.ts";
import type {
  WireAd,
  WireAppLink,
  WireBlock,
  WireCategory,
  WireConfig,
  WireHome,
  WirePage,
  WirePicture,
  WireRecommendation,
  WireTab,
  WireTopic,
  WireVideo,
} from "./wire.ts";

const HIDDEN_TITLE = "★";

/** A picture's domain form; an absent one has an empty address. */
export function pictureFromWire(wire: WirePicture | null | undefined): Picture {
  return { url: wire?.url ?? "", jpeg: wire?.jpeg ?? null, thumb: wire?.thumb ?? null };
}

/**
 * An address that a visitor may be sent to: `http:` and `https:` only, otherwise empty
 * (docs/product.md#embedding).
 */
export function safeLink(url: string): string {
  try {
    return ["http:", "https:"].includes(new URL(url).protocol) ? url : "";
  } catch {
    return "";
  }
}

/** Likewise, or a path of this site: one slash, and nothing that could be read as another host. */
function adLinkFromWire(url: string): string {
  return /^\/(?!\/)[^\s\\]*$/.test(url) ? url : safeLink(url);
}

export function videoFromWire(wire: WireVideo): Video {
  return {
    kind: "video",
    id: wire.id,
    title: wire.title,
    cover: pictureFromWire(wire.coverbase64),
    videoPath: wire.videopath,
    createdAt: Date.parse(wire.created_at),
    updatedAt: Date.parse(wire.updated_at),
    pageViews: wire.pageviews,
    playTime: wire.playtimes,
    duration: wire.duration,
    width: wire.width,
    height: wire.height,
    labels: wire.labls,
    categoryId: wire.type_id,
    categoryName: wire.type_name,
    isLocked: wire.isLock,
    shareId: wire.share_id ?? null,
    rank: wire.rank ?? null,
  };
}

export function adFromWire(wire: WireAd): Ad {
  return {
    kind: "ad",
    id: wire.id,
    title: wire.title,
    text: wire.text,
    url: adLinkFromWire(wire.url),
    image: pictureFromWire(wire.imgbase64),
    seconds: wire.seconds ?? 0,
  };
}

export function topicFromWire(wire: WireTopic): Topic {
  return {
    id: wire.id,
    title: wire.title,
    intro: wire.intro,
    cover: pictureFromWire(wire.coverbase64),
    videoCount: wire.video_count,
  };
}

/**
 * Videos of a list without those whose title begins with ★ (specification §4; the server leaves
 * them out already).
 */
export function videosFromWire(wire: readonly WireVideo[]): Video[] {
  return wire.filter((item) => !item.title.startsWith(HIDDEN_TITLE)).map(videoFromWire);
}

export function pageFromWire(wire: WirePage<WireVideo>): Page<Video> {
  return {
    items: videosFromWire(wire.data),
    hasNext: Boolean(wire.next_page_url),
    after: placeIn(wire.next_page_url),
    total: wire.total,
    perPage: wire.per_page,
  };
}

/** The place in the next page's address, if any. */
function placeIn(address: string | null | undefined): string | undefined {
  return new URLSearchParams(address?.split("?")[1]).get("after") ?? undefined;
}

export function categoryFromWire(wire: WireCategory): Category {
  return { id: wire.id, name: wire.name, icon: pictureFromWire(wire.icobase64) };
}

type BlockItem = WireBlock["list"][number];

const isAd = (item: BlockItem): item is Extract<BlockItem, { kind: "ad" }> => item.kind === "ad";
const isVideo = (item: BlockItem): item is Extract<BlockItem, { kind: "video" }> =>
  item.kind === "video";

export function blockFromWire(wire: WireBlock): HomeBlock {
  const ad = wire.list.find(isAd);
  return {
    id: wire.type_id,
    name: wire.name,
    videos: videosFromWire(wire.list.filter(isVideo)),
    ad: ad ? adFromWire(ad) : null,
  };
}

export function recommendationFromWire(wire: WireRecommendation): Recommendation {
  return { videos: videosFromWire(wire.data), seed: wire.seed, nextSeed: wire.next_seed };
}

export function homeFromWire(wire: WireHome): Home {
  return {
    categories: wire.categories.map(categoryFromWire),
    bannerTags: wire.banner_tags,
    topics: wire.topics.map(topicFromWire),
    banners: wire.banners.map(adFromWire),
    recommendation: recommendationFromWire(wire.recommendation),
    blocks: wire.blocks.map(blockFromWire),
  };
}

export function appLinkFromWire(wire: WireAppLink): AppLink {
  return {
    id: wire.id,
    title: wire.title,
    text: wire.text,
    url: safeLink(wire.url),
    image: wire.imgbase64 ? pictureFromWire(wire.imgbase64) : null,
  };
}

function tabFromWire(wire: WireTab): TabEntry {
  return {
    key: wire.key,
    name: wire.name,
    icon: wire.image,
    opens: wire.open_type,
    url: wire.open_type === "link" ? safeLink(wire.url) : wire.url,
    routes: wire.routes,
  };
}

export function configFromWire(wire: WireConfig): RuntimeConfig {
  return {
    version: wire.version,
    apiBase: wire.api_base,
    mediaBase: wire.media_base,
    isShowAd: wire.isShowAd,
    isAuthRequired: wire.auth_required,
    isThirdParty: wire.third_party,
    loginVideoSwitch: wire.login_video_switch,
    siteUrl: safeLink(wire.site_url),
    site: wire.site,
    frameOrigins: wire.frame_origins,
    analytics: wire.analytics,
    tabs: wire.tabs.map(tabFromWire).filter(({ opens }) => opens === "route" || !wire.third_party),
    coverKeys: wire.cover_keys,
    // In third-party mode nothing leads out of the partner's frame.
    community: wire.community && !wire.third_party ? appLinkFromWire(wire.community) : null,
    exchangeLinks: wire.third_party ? [] : wire.exchange_links.map(appLinkFromWire),
    shortCategory: wire.short_type,
    shareCategory: wire.share_type,
    perPage: wire.per_page,
    ageGate: wire.age_gate,
    hasRemovals: wire.has_removals,
  };
}
