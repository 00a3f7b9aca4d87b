/** The light build has no declarations; its API is a subset of the full build's. */
declare module "hls.js/light" {
  export * from "hls.js";
  export { default } from "hls.js";
}
