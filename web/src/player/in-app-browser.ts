/**
 * Programmes whose built-in browser is known to take videos over, by what they say of themselves.
 */
const KNOWN: readonly (readonly [RegExp, string])[] = [
  [/MicroMessenger/i, "微信"],
  // The QQ programme, not QQ 浏览器, which carries MQQBrowser alone.
  [/\bQQ\/[\d.]+/, "QQ"],
  [/MQQBrowser/i, "QQ 浏览器"],
  [/UCBrowser|UCWEB/i, "UC 浏览器"],
  [/Weibo/i, "微博"],
  [/baiduboxapp/i, "百度"],
  [/AlipayClient/i, "支付宝"],
  [/aweme|BytedanceWebview/i, "抖音"],
];

/**
 * Name of the programme around the page, by its user agent; null in a browser that leaves videos
 * alone.
 */
export function inAppBrowser(userAgent: string): string | null {
  return KNOWN.find(([pattern]) => pattern.test(userAgent))?.[1] ?? null;
}
