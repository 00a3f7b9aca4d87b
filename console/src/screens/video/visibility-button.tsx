import { useChange } from "@/screens/video/use-change.ts";
import type { VideoRow } from "@/shared/api/types.ts";

/** Hides a video everywhere, or shows it again. */
export function VisibilityButton({ video }: { readonly video: VideoRow }) {
  const change = useChange(video.id);
  const isHidden = video.state === "hidden";
  return (
    <>
      {change.error ? (
        <p className="field-fault" role="alert">
          {change.error.message}
        </p>
      ) : null}
      <button
        type="button"
        className="button button-small"
        disabled={change.isPending}
        onClick={() => {
          change.mutate({ is_hidden: !isHidden });
        }}
      >
        {isHidden ? "恢复显示" : "隐藏"}
      </button>
    </>
  );
}
