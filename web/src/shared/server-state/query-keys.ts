/** The key of every query: equal questions get equal keys, and so the same response. */
export const queryKeys = {
  home: "home",
  categories: "categories",
  artists: "artists",
  tags: "tags",
  topics: "topics",
  notices: "notices",
  hotWords: "hot-words",
  banners: (tagId: number) => `banners/${tagId}`,
  ads: (slot: string) => `ads/${slot}`,
  links: (kind: string) => `links/${kind}`,
  relatedSearches: (term: string) => `related-searches/${term}`,
  shareVideos: (categoryId: number) => `share-videos/${categoryId}`,
  play: (videoId: number) => `play/${videoId}`,
  similar: (videoId: number) => `similar/${videoId}`,
  playAds: (slot: string) => `play-ads/${slot}`,
  favouriteTotal: (code: string) => `favourite-total/${code}`,
  // Depends on the data code: another code has unlocked other videos.
  shareLink: (code: string, videoId: number) => `share-link/${code}/${videoId}`,
  shareVisits: (encodedId: string) => `share-visits/${encodedId}`,
  unlockedPlay: (code: string, videoId: number) => `unlocked-play/${code}/${videoId}`,
  openedShare: (encodedId: string) => `opened-share/${encodedId}`,
} as const;
