/** What a backup has beside the database and the keys. */
export const CONTENTS = [
  { value: "all", name: "全部：视频、原片、图片" },
  { value: "media", name: "不含原片" },
  { value: "none", name: "不含视频和原片" },
] as const;

export type Contents = (typeof CONTENTS)[number]["value"];

export function isContents(value: string): value is Contents {
  return CONTENTS.some((one) => one.value === value);
}

/** As the server takes it. */
export function given(contents: Contents): { with_media: boolean; with_originals: boolean } {
  return { with_media: contents !== "none", with_originals: contents === "all" };
}

export function contentsOf(withMedia: boolean, withOriginals: boolean): Contents {
  if (!withMedia) return "none";
  return withOriginals ? "all" : "media";
}
