import type { Plugin } from "vite";

type Cut = readonly [from: string, to: string];

/**
 * Exports of React that nothing here calls. No bundler leaves them out by itself, because React is
 * CommonJS; `.oxlintrc.json` refuses to import them.
 */
const CUTS: Readonly<Record<string, readonly Cut[]>> = {
  // `Children`, `cloneElement`.
  "react.production.js": [
    ["exports.Children = ", "var uncalledChildren = "],
    ["exports.cloneElement = ", "var uncalledCloneElement = "],
  ],
  // All of react-dom itself (`preload`, `preinit`, `flushSync`, `createPortal`), and what its client
  // enters for it in the object that both share.
  "react-dom-client.production.js": [
    [
      'ReactDOM = require("react-dom")',
      "ReactDOM = { __DOM_INTERNALS_DO_NOT_USE_OR_WARN_USERS_THEY_CANNOT_UPGRADE: { d: {}, p: 0 } }",
    ],
    ["ReactDOMSharedInternals.d = {", "var uncalledDispatcher = {"],
    ["ReactDOMSharedInternals.findDOMNode = ", "var uncalledFindDOMNode = "],
  ],
  // What its client asks of the scheduler is less than what that offers.
  "scheduler.production.js": [
    ["exports.unstable_forceFrameRate = ", "var uncalledForceFrameRate = "],
    ["exports.unstable_next = ", "var uncalledNext = "],
    ["exports.unstable_runWithPriority = ", "var uncalledRunWithPriority = "],
    ["exports.unstable_wrapCallback = ", "var uncalledWrapCallback = "],
  ],
};

/**
 * A file of React without the exports that nothing here calls.
 *
 * @param name - The file's name.
 * @param code - Its text.
 * @throws {Error} Where a cut does not fit exactly once: this version of React has to be read again.
 */
export function cutUncalled(name: string, code: string): string {
  return (CUTS[name] ?? []).reduce((text, [from, to]) => {
    if (text.split(from).length !== 2) throw new Error(`${name} has changed: ${from}`);
    return text.replace(from, to);
  }, code);
}

/** Leaves what is never called of React out of the build: 3.5 kB of the first bundle, compressed. */
export function leanReact(): Plugin {
  return {
    name: "lean-react",
    apply: (_, { command, isSsrBuild }) => command === "build" && !isSsrBuild,
    // React asks whether these exist; with the answer known, the code behind the question goes.
    config: () => ({
      define: { __REACT_DEVTOOLS_GLOBAL_HOOK__: "undefined", setImmediate: "undefined" },
    }),
    transform: {
      filter: { id: /\/(react(-dom-client)?|scheduler)\.production\.js$/ },
      handler: (code, id) => ({ code: cutUncalled(id.replace(/^.*\//, ""), code), map: null }),
    },
  };
}
