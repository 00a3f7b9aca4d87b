import type { Order } from "@/shared/api/calls.ts";

/** What `/list` shows: a category (0 is all) in an order. */
export interface ListQuery {
  readonly typeId: number;
  readonly orderby: Order;
}

/** Read the address; what is missing or wrong is 全部 and 最新 (specification §9). */
export function readListQuery(params: URLSearchParams): ListQuery {
  const typeId = params.get("typeId") ?? "";
  return {
    typeId: /^\d{1,9}$/.test(typeId) ? Number(typeId) : 0,
    orderby: params.get("orderby") === "hot" ? "hot" : "new",
  };
}

/** The query part of the address, the same for the same list. */
export function listAddress({ typeId, orderby }: ListQuery): string {
  return `typeId=${typeId}&orderby=${orderby}`;
}
