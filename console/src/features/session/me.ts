import { queryOptions, useQuery } from "@tanstack/react-query";
import { call } from "@/shared/api/call.ts";
import type { Me, Role } from "@/shared/api/types.ts";

const RANKS: Record<Role, number> = { viewer: 0, editor: 1, owner: 2 };
const ROLE_NAMES: Record<Role, string> = { owner: "站长", editor: "编辑", viewer: "查看" };

export const ME = queryOptions({
  queryKey: ["session"],
  queryFn: ({ signal }) => call<Me>("/api/session", { signal }),
  staleTime: 60_000,
});

/** Who is logged in; undefined until that is known. */
export function useMe(): Me | undefined {
  return useQuery(ME).data;
}

/** Whether a role may do what another one may. */
export function includes(held: Role, wanted: Role): boolean {
  return RANKS[held] >= RANKS[wanted];
}

export function roleName(role: Role): string {
  return ROLE_NAMES[role];
}
