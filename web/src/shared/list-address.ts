import { DEFAULT_SORT_ORDER, SORT_ORDERS, type SortOrder } from "@/shared/api/sort-orders.gen.ts";

/** What `/list` shows: a category (0 is all) in an order. */
export interface ListQuery {
  readonly typeId: number;
  readonly orderby: SortOrder;
}

/** Parse the address; missing or invalid parts mean 全部 in the default order (specification §9). */
export function readListQuery(params: URLSearchParams): ListQuery {
  const typeId = params.get("typeId") ?? "";
  const orderby = params.get("orderby");
  return {
    typeId: /^\d{1,9}$/.test(typeId) ? Number(typeId) : 0,
    orderby: SORT_ORDERS.find(({ value }) => value === orderby)?.value ?? DEFAULT_SORT_ORDER,
  };
}

/**
 * The query part of the address, equal for equal lists. The server reads this exact spelling
 * (`core/catalogue/list_address.py`) to include a document's first answers.
 */
export function listQuery({ typeId, orderby }: ListQuery): string {
  return `typeId=${typeId}&orderby=${orderby}`;
}

/** The address of a category's list in the default order. */
export function listAddress(typeId: number): string {
  return `/list?${listQuery({ typeId, orderby: DEFAULT_SORT_ORDER })}`;
}
