import "./mine-cells.css";
import { IconDownload, IconUpload } from "@tabler/icons-react";
import { type ChangeEvent, useRef, useState } from "react";
import { showMessage } from "@/shared/messages/message-store.ts";
import { TEXT } from "@/shared/messages/texts.ts";
import { saveFile } from "@/shared/save-file.ts";
import { exportBackup, importBackup, textOf } from "./backup.ts";

interface BackupCellsProps {
  /** Called when favourites may have been added. */
  readonly onImported: () => void;
}

/** Favourites and history as a file: export and import (docs/product.md#identity). */
export function BackupCells({ onImported }: BackupCellsProps) {
  const picker = useRef<HTMLInputElement>(null);
  const [work, setWork] = useState<string | null>(null);
  const showProgress = (verb: string) => (done: number, total: number) =>
    setWork(`${verb} ${done} / ${total}`);

  const save = async () => {
    setWork("正在导出");
    try {
      const now = new Date();
      const text = await exportBackup(showProgress("正在导出"), now);
      saveFile(
        new Blob([text], { type: "application/json" }),
        `liuying-${now.toISOString().slice(0, 10)}.json`,
      );
      showMessage("已导出收藏和历史");
    } catch (error) {
      console.info(error);
      showMessage(TEXT.networkError);
    }
    setWork(null);
  };
  const bring = async ({ target }: ChangeEvent<HTMLInputElement>) => {
    const file = target.files?.[0];
    if (!file) return;
    setWork("正在导入");
    try {
      showMessage(
        textOf(
          await importBackup(file, showProgress("正在导入"), () => setWork("请求较多，稍后继续")),
        ),
      );
    } catch (error) {
      // The file was removed after it was chosen.
      console.info(error);
      showMessage("文件读取失败");
    }
    target.value = "";
    setWork(null);
    onImported();
  };
  return (
    <div className="mine-cells">
      <button
        type="button"
        className="mine-cell"
        disabled={work !== null}
        onClick={() => void save()}
      >
        <IconDownload stroke={1.75} aria-hidden="true" />
        <span className="mine-cell-text">
          导出收藏和历史<small>保存为文件，不含识别码</small>
        </span>
      </button>
      <button
        type="button"
        className="mine-cell"
        disabled={work !== null}
        onClick={() => picker.current?.click()}
      >
        <IconUpload stroke={1.75} aria-hidden="true" />
        <span className="mine-cell-text">
          从文件导入<small>与现有的合并，不会覆盖</small>
        </span>
        <span className="mine-cell-end" role="status">
          {work}
        </span>
      </button>
      <input
        ref={picker}
        type="file"
        accept="application/json,.json"
        aria-label="选择备份文件"
        hidden
        onChange={(event) => void bring(event)}
      />
    </div>
  );
}
