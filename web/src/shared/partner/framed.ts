/** Whether the page is shown inside another's frame (specification §1). */
export const isFramed = (): boolean => window.self !== window.top;
