import { NameDialog } from "@/features/content/name-dialog.tsx";
import type { BannerTag } from "@/shared/api/types.ts";

/** A chip above the carousel. */
export function TagDialog({
  tag,
  onClose,
}: {
  readonly tag: BannerTag | null;
  readonly onClose: () => void;
}) {
  return (
    <NameDialog
      title={tag ? "修改标签" : "新建标签"}
      path="banner-tags"
      row={tag}
      longest={40}
      removal={`标签“${tag?.name ?? ""}”和它的轮播图都将被删除，不能恢复。`}
      onClose={onClose}
    />
  );
}
