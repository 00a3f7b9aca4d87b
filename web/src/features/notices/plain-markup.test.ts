import { expect, it } from "vitest";
import { plainMarkup } from "./plain-markup.ts";

const TAGS = ["a", "b", "br", "p"];

it.each([
  ["<p>好<b>的</b><br></p>", "<p>好<b>的</b><br></p>"],
  [
    '<a href="https://e.com/?a=1&amp;b" rel="noopener">好</a>',
    '<a href="https://e.com/?a=1&amp;b">好</a>',
  ],
  ["<A HREF='https://e.com/\"x'>好</A>", '<a href="https://e.com/&quot;x">好</a>'],
  [
    "<a title='href=no' data-href=no href=https://e.com/x>好</a>",
    '<a href="https://e.com/x">好</a>',
  ],
  ["<a href>好</a>", '<a href="">好</a>'],
  ["1 < 2 &lt; 3 > 2 &amp; <3", "1 &lt; 2 &lt; 3 > 2 &amp; &lt;3"],
])("keeps of %s what is text", (html, plain) => expect(plainMarkup(html, TAGS)).toBe(plain));

it.each([
  ["<p onclick='x()' style=\"a\">好</p>", "<p>好</p>"],
  ["<p/onclick=x()>好", "<p>好"],
  ['<p title=">" onclick="x()">好</p>', "<p>好</p>"],
  ["<img src=x onerror=x()>好", "好"],
  ["<script>if (a<b) x()</script>好", "好"],
  ["<style>p{}</style><svg><p onclick=x()></svg>好", "好"],
  ["<script>never ended 好", ""],
  ["<!-- <p onclick=x()> -->好<!-- <p>", "好"],
  ["<!doctype x><?y?></ z>好", "好"],
  ["<p onclick='x() 好", "<p>"],
  ["<base href=//e.com><form><b>好</b></form>", "<b>好</b>"],
  ["<scr<script></script>ipt>好", "ipt>好"],
  ["<b<p onclick=x()>好", "好"],
])("leaves nothing that runs of %s", (html, plain) => expect(plainMarkup(html, TAGS)).toBe(plain));

it.each(['<a "', "<", "<!--", "<p '", "</", "<a href=\"'"])(
  "takes time that grows with the text: %j",
  (part) => {
    const start = performance.now();
    plainMarkup(part.repeat(50_000), TAGS);
    expect(performance.now() - start).toBeLessThan(3000);
  },
);
