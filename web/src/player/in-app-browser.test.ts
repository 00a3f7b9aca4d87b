import { expect, it } from "vitest";
import { inAppBrowser } from "./in-app-browser.ts";

const ANDROID =
  "Mozilla/5.0 (Linux; Android 14; V2309A) AppleWebKit/537.36 (KHTML, like Gecko) Version/4.0";

it("knows the programmes that take videos over", () => {
  expect(
    inAppBrowser(
      `${ANDROID} Chrome/116.0 XWEB/1160117 MMWEBSDK/2024 MicroMessenger/8.0.48 NetType/WIFI`,
    ),
  ).toBe("微信");
  expect(
    inAppBrowser(
      `${ANDROID} MQQBrowser/6.2 TBS/046247 Mobile Safari/537.36 V1_AND_SQ_8.9 QQ/8.9.85.12820`,
    ),
  ).toBe("QQ");
  expect(inAppBrowser(`${ANDROID} Chrome/98 MQQBrowser/14.7 Mobile Safari/537.36`)).toBe(
    "QQ 浏览器",
  );
  expect(inAppBrowser(`${ANDROID} Chrome/100 UCBrowser/16.4.8 Mobile Safari/537.36`)).toBe(
    "UC 浏览器",
  );
});

it("leaves browsers alone", () => {
  expect(inAppBrowser(`${ANDROID} Chrome/130.0.0.0 Mobile Safari/537.36`)).toBeNull();
  const iphone =
    "Mozilla/5.0 (iPhone; CPU iPhone OS 18_1 like Mac OS X) AppleWebKit/605.1.15 Version/18.1 Mobile Safari/604.1";
  expect(inAppBrowser(iphone)).toBeNull();
});
