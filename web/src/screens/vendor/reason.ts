/**
 * What may be said of why a session is wanted, by its key. Others may write a link to `/vendor`:
 * nothing of their words is shown (docs/security.md#t11).
 */
const REASONS: Readonly<Record<string, string>> = {
  "sign-in": "请先登录",
  "code-refused": "登录凭证无效或已过期，请从合作方页面重新进入",
};

/** The reason that an address names by its key, or by the server's own words; empty for any other. */
export function reasonOf(text: string | null): string {
  const known = Object.entries(REASONS).find((entry) => entry.includes(text ?? ""));
  return known?.[1] ?? "";
}
