// Written by `make openapi` from backend/src/liuying/core/catalogue/sort_orders.py.

/** The sort orders of lists: what addresses say, and what visitors read. */
export const SORT_ORDERS = [
  { value: "new", name: "最新" },
  { value: "hot", name: "最热" },
] as const;

export type SortOrder = (typeof SORT_ORDERS)[number]["value"];

export const DEFAULT_SORT_ORDER: SortOrder = "new";
