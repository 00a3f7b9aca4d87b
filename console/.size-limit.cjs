module.exports = [
  {
    name: "the console's code",
    path: ["dist/assets/*.js", "!dist/assets/hls*.js"],
    limit: "300 kB",
    gzip: true,
  },
  // Of the preview alone, loaded when a film is played: one of the two.
  { name: "the player's library", path: "dist/assets/hls*.js", limit: "300 kB", gzip: true },
];
