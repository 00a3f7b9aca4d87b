import "./poster-sheet.css";
import { IconDownload, IconShare3 } from "@tabler/icons-react";
import { useEffect, useState } from "react";
import { Sheet } from "@/features/list/sheet.tsx";
import { drawPoster } from "@/features/share-unlock/poster.ts";
import { canShareFile, sharePicture } from "@/features/share-unlock/share-picture.ts";
import type { Video } from "@/shared/api/model.ts";
import { showMessage } from "@/shared/messages/message-store.ts";

interface PosterSheetProps {
  readonly video: Pick<Video, "id" | "title" | "cover">;
  /** The visitor's full link. */
  readonly link: string;
  readonly onClose: () => void;
}

/**
 * The share poster (docs/product.md#beyond), to save or send: by the system's sheet, as a file, or
 * by a long press.
 */
export function PosterSheet({ video, link, onClose }: PosterSheetProps) {
  const poster = usePoster(video, link, onClose);
  const isShared = poster !== null && canShareFile(poster.file);
  const save = async () => {
    if (poster && (await sharePicture(poster.file)) === "saved") showMessage("海报已保存");
  };
  const Icon = isShared ? IconShare3 : IconDownload;
  return (
    <Sheet label="分享海报" onClose={onClose}>
      <div className="poster-sheet">
        {poster ? (
          <img
            className="poster-picture"
            src={poster.address}
            alt={`海报：${video.title}，附二维码`}
          />
        ) : (
          <span className="poster-picture skeleton" role="status" aria-label="正在生成海报" />
        )}
        <p>发给朋友，扫码就能打开。长按图片也能保存。</p>
        <button
          type="button"
          className="button button-primary"
          disabled={!poster}
          onClick={() => void save()}
        >
          <Icon size={18} stroke={2} aria-hidden="true" />
          {isShared ? "保存或发送图片" : "保存图片"}
        </button>
      </div>
    </Sheet>
  );
}

interface Poster {
  readonly file: File;
  readonly address: string;
}

/** Draws the poster once; null while drawing. On failure it shows a message and closes. */
function usePoster(
  { id, title, cover }: PosterSheetProps["video"],
  link: string,
  onFail: () => void,
): Poster | null {
  const [poster, setPoster] = useState<Poster | null>(null);
  useEffect(() => {
    let isGone = false;
    let address: string | undefined;
    const draw = async () => {
      try {
        const file = new File([await drawPoster({ title, cover, link })], `liuying-${id}.png`, {
          type: "image/png",
        });
        if (isGone) return;
        address = URL.createObjectURL(file);
        setPoster({ file, address });
      } catch (error) {
        console.info(error);
        if (isGone) return;
        showMessage("海报没有生成，请复制链接");
        onFail();
      }
    };
    void draw();
    return () => {
      isGone = true;
      if (address) URL.revokeObjectURL(address);
    };
    // oxlint-disable-next-line react-hooks/exhaustive-deps -- a closing function of the same sheet draws no other poster
  }, [id, title, cover, link]);
  return poster;
}
