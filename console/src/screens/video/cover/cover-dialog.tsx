import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { type Crop, type Cut, cropOf, WHOLE_CUT } from "@/screens/video/cover/crop.ts";
import { CropFrame } from "@/screens/video/cover/crop-frame.tsx";
import { MomentSlider } from "@/screens/video/cover/moment-slider.tsx";
import { type Shown, useFilePicture, useFrame } from "@/screens/video/cover/use-frame.ts";
import { base64Of } from "@/shared/api/base64.ts";
import { call } from "@/shared/api/call.ts";
import type { VideoDetail, VideoRow } from "@/shared/api/types.ts";
import { Choice } from "@/shared/ui/choice.tsx";
import { Dialog } from "@/shared/ui/dialog.tsx";

/** A moment of the film in milliseconds, or a picture of the operator's own. */
export type Source = number | File;

interface CoverDialogProps {
  readonly video: VideoRow;
  readonly source: Source;
  readonly onClose: () => void;
}

/** What lists show covers in. */
const LIST_RATIO = 16 / 9;
const RATIOS = [
  { value: "list", name: "裁成 16:9" },
  { value: "whole", name: "整张" },
] as const;

type Ratio = (typeof RATIOS)[number]["value"];

/** Cuts a picture of the film, or a given one, to a cover, which is seen before it is saved. */
export function CoverDialog({ video, source, onClose }: CoverDialogProps) {
  const file = typeof source === "number" ? null : source;
  const [at, setAt] = useState(typeof source === "number" ? source : null);
  const [cut, setCut] = useState<Cut>(WHOLE_CUT);
  const [ratio, setRatio] = useState<Ratio>("list");
  const frame = useFrame(video.id, at);
  const given = useFilePicture(file);
  const { data, error } = file ? given : frame;
  const isBehind = file ? !given.data : frame.isBehind || !frame.data;
  const saving = useSaving(video.id, onClose);
  const fault = saving.error?.message ?? error?.message;
  return (
    <Dialog title={file ? "裁切封面" : "选择封面的画面"} onClose={onClose}>
      <div className="crop-place" aria-busy={isBehind}>
        {data && ratio === "list" ? (
          <CropFrame
            address={data.address}
            picture={data.ratio}
            frame={LIST_RATIO}
            cut={cut}
            onCut={setCut}
          />
        ) : null}
        {data && ratio === "whole" ? (
          <img className="crop-whole" src={data.address} alt="封面，整张" />
        ) : null}
        {data || error ? null : <div className="placeholder crop-waiting" role="status" />}
      </div>
      {at === null ? null : <MomentSlider at={at} duration={video.duration} onChange={setAt} />}
      <Choice label="比例" options={RATIOS} value={ratio} onChange={setRatio} />
      {fault ? (
        <p className="field-fault" role="alert">
          {fault}
        </p>
      ) : null}
      <div className="dialog-actions">
        <button type="button" className="button button-small" onClick={onClose}>
          取消
        </button>
        <button
          type="button"
          className="button button-small button-primary"
          disabled={isBehind || saving.isPending || !data}
          onClick={() => {
            if (data) saving.mutate({ source: at ?? source, crop: partOf(data, ratio, cut) });
          }}
        >
          {saving.isPending ? "正在保存…" : "保存封面"}
        </button>
      </div>
    </Dialog>
  );
}

function partOf(shown: Shown, ratio: Ratio, cut: Cut): Crop | null {
  return ratio === "whole" ? null : cropOf(cut, shown.ratio, LIST_RATIO);
}

function useSaving(id: number, onDone: () => void) {
  const client = useQueryClient();
  return useMutation({
    mutationFn: async ({ source, crop }: { source: Source; crop: Crop | null }) => {
      const picture =
        typeof source === "number" ? { at: Math.round(source) } : { image: await base64Of(source) };
      const body = { ...picture, crop };
      return call<VideoDetail>(`/api/videos/${id}/cover`, { method: "PUT", body });
    },
    onSuccess: async (detail) => {
      client.setQueryData(["video", String(id)], detail);
      await client.invalidateQueries({ queryKey: ["videos"] });
      onDone();
    },
  });
}
