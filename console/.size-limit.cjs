module.exports = [
  { name: "the console's code", path: "dist/assets/*.js", limit: "300 kB", gzip: true },
];
