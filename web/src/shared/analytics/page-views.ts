/** Tells an analytics tool of a page view (specification §2). */
export type PageViewHandler = (path: string, name: string) => void;

let handler: PageViewHandler = () => {};

/** Say who counts page views; nobody does by default. */
export function onPageView(given: PageViewHandler): void {
  handler = given;
}

/** Report a page view: the path without its query, and the route's name. */
export function reportPageView(path: string, name: string): void {
  handler(path, name);
}
