const { readFileSync } = require("node:fs");

// What the browser fetches before home is drawn: the entry and all that it imports at once.
const page = readFileSync("dist/index.html", "utf8");
const path = [
  ...new Set([...page.matchAll(/\/(assets\/[\w.-]+\.js)/g)].map((match) => `dist/${match[1]}`)),
];

module.exports = [{ name: "home's JavaScript", path, limit: "80 kB", gzip: true }];
