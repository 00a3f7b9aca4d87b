/** Languages that are chosen by a tap; the server knows more. */
export const LANGUAGES = [
  { value: "zh-Hans", name: "简体中文" },
  { value: "zh-Hant", name: "繁体中文" },
  { value: "en", name: "英语" },
  { value: "ja", name: "日语" },
  { value: "ko", name: "韩语" },
  { value: "yue", name: "粤语" },
] as const;

export const OTHER = "other";

const SAID: readonly (readonly [RegExp, string])[] = [
  [/(?:^|[^a-z])(?:zh-?(?:hant|tw|hk)|cht|tc)(?:[^a-z]|$)|繁/, "zh-Hant"],
  [/(?:^|[^a-z])(?:zh(?:-?(?:hans|cn))?|chs|sc|chi)(?:[^a-z]|$)|简|中文/, "zh-Hans"],
  [/(?:^|[^a-z])(?:en|eng|english)(?:[^a-z]|$)|英/, "en"],
  [/(?:^|[^a-z])(?:ja|jpn)(?:[^a-z]|$)|日[文语]/, "ja"],
  [/(?:^|[^a-z])(?:ko|kor)(?:[^a-z]|$)|韩/, "ko"],
];

/** The language that a file's name says between its own and its suffix; null where it says none. */
export function languageOf(name: string): string | null {
  const said = name.toLowerCase().split(".").slice(1, -1).join(".");
  return SAID.find(([sign]) => sign.test(said))?.[1] ?? null;
}
