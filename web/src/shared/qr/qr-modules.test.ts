import { expect, it } from "vitest";
import { qrModules, qrPath } from "./qr-modules.ts";

/**
 * Rows in hexadecimal, as another encoder (qrcode 1.5.4) draws the same version, correction and
 * mask.
 */
const KNOWN: readonly (readonly [text: string, rows: string])[] = [
  [
    "k7m2p9xq4t8w",
    "1fc77f 104d41 17585d 17535d 17535d 105541 1fd57f 1b00 17c57c 132d1f 5ea88 18082f 1eeef1 1d99 1fc50e 105684 175ffb 175a94 175720 10412c 1fd4ea",
  ],
  [
    "abc123",
    "1fce7f 104e41 17595d 175e5d 17535d 105941 1fd57f 1b00 17c97c 1e0d25 4fa92 19903e 1d7a90 13e5 1fc16a 1053d5 17552a 175114 175eac 104434 1fd2aa",
  ],
];

it.each(KNOWN)("draws %s as other encoders do", (text, rows) => {
  const drawn = qrModules(text).map((row) =>
    Number.parseInt(row.map((isDark) => (isDark ? "1" : "0")).join(""), 2).toString(16),
  );
  expect(drawn.join(" ")).toBe(rows);
});

it("draws each run of dark modules once", () => {
  expect(
    qrPath([
      [true, true, false],
      [false, false, true],
    ]),
  ).toBe("M0 0h2v1H0zM2 1h1v1H2z");
});
