/** Apps whose built-in browser is known to take videos over, by user agent. */
const KNOWN: readonly (readonly [RegExp, string])[] = [
  [/MicroMessenger/i, "微信"],
  // The QQ app, not QQ 浏览器, which only contains MQQBrowser.
  [/\bQQ\/[\d.]+/, "QQ"],
  [/MQQBrowser/i, "QQ 浏览器"],
  [/UCBrowser|UCWEB/i, "UC 浏览器"],
  [/Weibo/i, "微博"],
  [/baiduboxapp/i, "百度"],
  [/AlipayClient/i, "支付宝"],
  [/aweme|BytedanceWebview/i, "抖音"],
];

/** Name of the surrounding app by user agent; null in a browser that leaves videos alone. */
export function inAppBrowser(userAgent: string): string | null {
  return KNOWN.find(([pattern]) => pattern.test(userAgent))?.[1] ?? null;
}
