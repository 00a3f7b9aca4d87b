import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { isOpen } from "@/features/maintenance/run-status.tsx";
import { type CallOptions, call } from "@/shared/api/call.ts";
import type { Backups } from "@/shared/api/types.ts";

const BUSY_MS = 1000;
const CALM_MS = 10_000;

/** Backups, the schedule and the drills; read often while something is being done. */
export function useBackups() {
  return useQuery({
    queryKey: ["backups"],
    queryFn: ({ signal }) => call<Backups>("/api/backups", { signal, isBackground: true }),
    refetchInterval: ({ state: { data } }) =>
      isOpen(data?.run) || isOpen(data?.drill_run) ? BUSY_MS : CALM_MS,
  });
}

/** A change of theirs; the page shows it at once. */
export function useBackupChange(onDone?: () => void) {
  const client = useQueryClient();
  return useMutation({
    mutationFn: ({ path, ...options }: CallOptions & { readonly path: string }) =>
      call<unknown>(path, options),
    onSuccess: async () => {
      await client.invalidateQueries({ queryKey: ["backups"] });
      onDone?.();
    },
  });
}
