/** The light build ships without declarations; its surface is a subset of the full build's. */
declare module "hls.js/light" {
  export * from "hls.js";
  export { default } from "hls.js";
}
