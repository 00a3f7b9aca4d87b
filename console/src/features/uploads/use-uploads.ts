import { useQuery } from "@tanstack/react-query";
import { useSyncExternalStore } from "react";
import type { Transfer } from "@/features/uploads/transfer.ts";
import { Uploader } from "@/features/uploads/uploader.ts";
import { call } from "@/shared/api/call.ts";
import type { UploadList } from "@/shared/api/types.ts";

const REFRESH_MS = 3000;
export const UPLOADS = ["uploads"] as const;

/** One for all pages: what is sent goes on while another one is shown. */
export const uploader = new Uploader();
window.addEventListener("online", () => {
  uploader.reconnect();
});

/** What this page sends. */
export function useTransfers(): readonly Transfer[] {
  return useSyncExternalStore(uploader.subscribe, uploader.snapshot);
}

/** What the server has of uploads, and what became of them. */
export function useUploads() {
  return useQuery({
    queryKey: UPLOADS,
    queryFn: ({ signal }) => call<UploadList>("/api/uploads", { signal, isBackground: true }),
    refetchInterval: REFRESH_MS,
  });
}
