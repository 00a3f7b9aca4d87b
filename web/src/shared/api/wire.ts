/**
 * Shapes as they travel (specification §3). The spellings of the wire (`coverbase64`, `labls`, `serach`) stop in this
 * folder: everything else sees the domain types of `model.ts`.
 */
export interface WirePicture {
  url?: string;
  type?: string;
  jpeg?: string | null;
  thumb?: string | null;
  width?: number | null;
  height?: number | null;
}

export interface WireVideo {
  id: number;
  title: string;
  coverbase64: WirePicture;
  videopath: string;
  created_at: string;
  updated_at: string;
  pageviews: number;
  playtimes: string;
  duration: number;
  width: number;
  height: number;
  labls: { id: number; name: string }[];
  type_id: number;
  type_name: string;
  isLock: boolean;
  is_ad?: false;
  rank?: number | null;
}

export interface WireAd {
  id: number;
  title: string;
  text: string;
  url: string;
  imgbase64: WirePicture;
  imgpath: string;
  seconds?: number;
  is_ad?: true;
}

export interface WireCategory {
  id: number;
  name: string;
  icopath: string;
  order: number;
  icobase64: WirePicture;
  type_id: number;
}

export interface WirePage<T> {
  data: T[];
  next_page_url: string | null;
  total: number;
  per_page: number;
}

export interface WireBlock {
  id: number;
  name: string;
  type_id: number;
  list: (WireVideo | WireAd)[];
}

export interface WireRecommendation {
  data: WireVideo[];
  seed: number;
  next_seed: number;
}

export interface WireTab {
  key: string;
  name: string;
  image: string;
  image_gray: string;
  open_type: "route" | "link";
  url: string;
  routes: string[];
}

export interface WireAppLink {
  id: number;
  title: string;
  text: string;
  url: string;
  imgbase64: WirePicture | null;
}

export interface WireConfig {
  version: string;
  api_base: string;
  media_base: string;
  isShowAd: boolean;
  tabs: WireTab[];
  cover_keys: Record<string, string>;
  community: WireAppLink | null;
  exchange_links: WireAppLink[];
  short_type: number;
  share_type: number;
  per_page: number;
}

export interface WireHome {
  categories: WireCategory[];
  banner_tags: { id: number; name: string }[];
  banners: WireAd[];
  recommendation: WireRecommendation;
  blocks: WireBlock[];
}

export interface WireBoot {
  config: WireConfig;
  home: WireHome | null;
}
