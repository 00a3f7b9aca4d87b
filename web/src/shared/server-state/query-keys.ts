/** The key of every query: whoever asks the same takes the same key, and so the same response. */
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
  // Of a data code: whoever changes it sees what the other one has unlocked.
  shareLink: (code: string, videoId: number) => `share-link/${code}/${videoId}`,
  shareVisits: (encodedId: string) => `share-visits/${encodedId}`,
  unlockedPlay: (code: string, videoId: number) => `unlocked-play/${code}/${videoId}`,
  openedShare: (encodedId: string) => `opened-share/${encodedId}`,
} as const;
