import "./player-sheet.css";
import "./keyboard-help.css";
import { useEffect, useRef } from "react";

const KEYS: readonly (readonly [string, string])[] = [
  ["空格", "播放或暂停"],
  ["← →", "快退或快进 10 秒"],
  ["↑ ↓", "调节音量"],
  ["F", "全屏"],
  ["M", "静音"],
  ["?", "显示快捷键"],
];

/** What the keys do. It closes on Escape and a click beside it. */
export function KeyboardHelp({ onClose }: { readonly onClose: () => void }) {
  const dialog = useRef<HTMLDialogElement>(null);
  useEffect(() => dialog.current?.showModal(), []);
  return (
    <dialog ref={dialog} className="player-sheet" aria-label="快捷键" onClose={onClose}>
      {/* Otherwise the dialog focuses the scrim, with a ring around the whole window. */}
      <div className="player-help" tabIndex={-1} autoFocus>
        <h3>快捷键</h3>
        <dl>
          {KEYS.map(([key, use]) => (
            <div key={key}>
              <dt>
                <kbd>{key}</kbd>
              </dt>
              <dd>{use}</dd>
            </div>
          ))}
        </dl>
      </div>
      <button
        type="button"
        className="player-sheet-scrim"
        aria-label="关闭快捷键"
        onClick={onClose}
      />
    </dialog>
  );
}
