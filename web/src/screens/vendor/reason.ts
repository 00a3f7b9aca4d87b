/**
 * The reasons that may be shown for needing a session, by key. Anybody can write a link to
 * `/vendor`, so none of its own words are shown (docs/security.md#t11).
 */
const REASONS: Readonly<Record<string, string>> = {
  "sign-in": "请先登录",
  "code-refused": "登录凭证无效或已过期，请从合作方页面重新进入",
};

/** The reason that an address gives by key, or in the server's own words; empty for any other. */
export function reasonOf(text: string | null): string {
  const known = Object.entries(REASONS).find((entry) => entry.includes(text ?? ""));
  return known?.[1] ?? "";
}
