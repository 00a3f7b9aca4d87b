import { useRef, useState } from "react";
import { type Crop, type Cut, cropOf, dragged, LARGEST_ZOOM } from "@/screens/video/cover/crop.ts";

interface CropFrameProps {
  readonly address: string;
  /** Width by height of the picture and of the frame. */
  readonly picture: number;
  readonly frame: number;
  readonly cut: Cut;
  readonly onCut: (cut: Cut) => void;
}

const STEP = 0.01;

/** A picture in the frame that it is cut to: dragged by a finger, or moved by three sliders. */
export function CropFrame({ address, picture, frame, cut, onCut }: CropFrameProps) {
  const crop = cropOf(cut, picture, frame);
  const box = useRef<HTMLDivElement>(null);
  const [last, setLast] = useState<{ x: number; y: number } | null>(null);
  return (
    <>
      <div
        ref={box}
        className="crop"
        style={{ aspectRatio: frame }}
        onPointerDown={(event) => {
          event.currentTarget.setPointerCapture(event.pointerId);
          setLast({ x: event.clientX, y: event.clientY });
        }}
        onPointerMove={(event) => {
          const { width, height } = event.currentTarget.getBoundingClientRect();
          if (!last || width === 0 || height === 0) return;
          setLast({ x: event.clientX, y: event.clientY });
          const right = (event.clientX - last.x) / width;
          onCut(dragged(cut, crop, right, (event.clientY - last.y) / height));
        }}
        onPointerUp={() => {
          setLast(null);
        }}
        onPointerCancel={() => {
          setLast(null);
        }}
      >
        <img src={address} alt="裁切后的封面" draggable={false} style={placeOf(crop)} />
      </div>
      <div className="crop-sliders">
        <Slider
          label="放大"
          value={cut.zoom}
          least={1}
          most={LARGEST_ZOOM}
          onChange={(zoom) => {
            onCut({ ...cut, zoom });
          }}
        />
        <Slider
          label="左右"
          value={cut.x}
          least={0}
          most={1}
          isDisabled={crop.width > 1 - STEP}
          onChange={(x) => {
            onCut({ ...cut, x });
          }}
        />
        <Slider
          label="上下"
          value={cut.y}
          least={0}
          most={1}
          isDisabled={crop.height > 1 - STEP}
          onChange={(y) => {
            onCut({ ...cut, y });
          }}
        />
      </div>
    </>
  );
}

interface SliderProps {
  readonly label: string;
  readonly value: number;
  readonly least: number;
  readonly most: number;
  readonly isDisabled?: boolean;
  readonly onChange: (value: number) => void;
}

function Slider({ label, value, least, most, isDisabled = false, onChange }: SliderProps) {
  return (
    <label className="slider">
      <span>{label}</span>
      <input
        type="range"
        min={least}
        max={most}
        step={STEP}
        value={value}
        disabled={isDisabled}
        onChange={(event) => {
          onChange(event.target.valueAsNumber);
        }}
      />
    </label>
  );
}

/** Where a picture lies so that its frame shows a part of it. */
function placeOf(crop: Crop) {
  return {
    width: `${100 / crop.width}%`,
    height: `${100 / crop.height}%`,
    left: `${(-100 * crop.left) / crop.width}%`,
    top: `${(-100 * crop.top) / crop.height}%`,
  };
}
