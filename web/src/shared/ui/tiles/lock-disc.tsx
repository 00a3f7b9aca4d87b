import "./lock-disc.css";
import { IconLock } from "@tabler/icons-react";
import type { Video } from "@/shared/api/model.ts";
import { useUnlockProgress } from "@/shared/unlocks/use-unlock-progress.ts";

/** The lock over a picture. */
export function LockDisc() {
  return (
    <span className="lock-disc">
      <IconLock size={20} stroke={1.75} role="img" aria-label="未解锁" />
    </span>
  );
}

/**
 * A lock over a share video's picture until the visitor has unlocked it; then a note. Nothing on
 * other videos.
 */
export function LockMark({ video }: { readonly video: Video }) {
  const { isUnlocked } = useUnlockProgress(video);
  if (!video.isLocked) return null;
  return isUnlocked ? <span className="cover-tag">已解锁</span> : <LockDisc />;
}
