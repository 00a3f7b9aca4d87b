import { useMutation, useQueryClient } from "@tanstack/react-query";
import { call } from "@/shared/api/call.ts";
import type { VideoChange, VideoDetail } from "@/shared/api/types.ts";

/** Changes a video; what was shown of it is read again. */
export function useChange(id: number) {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (change: VideoChange) =>
      call<VideoDetail>(`/api/videos/${id}`, { method: "PATCH", body: change }),
    onSuccess: async (detail) => {
      client.setQueryData(["video", String(id)], detail);
      await client.invalidateQueries({ queryKey: ["videos"] });
    },
  });
}
