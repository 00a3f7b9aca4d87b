import "@/screens/uploads/uploads.css";
import { useRef, useState } from "react";
import { isSame, type Transfer } from "@/features/uploads/transfer.ts";
import { uploader, useTransfers, useUploads } from "@/features/uploads/use-uploads.ts";
import { DropZone } from "@/screens/uploads/drop-zone.tsx";
import { UploadRow } from "@/screens/uploads/upload-row.tsx";
import type { Upload } from "@/shared/api/types.ts";
import { Empty, Loaded } from "@/shared/ui/state.tsx";
import { useTitle } from "@/shared/ui/use-title.ts";

const NOT_SAME = "这不是同一个文件：名称、大小或修改时间不一样";

/** Films on their way to the site: chosen or dropped, sent, queued, encoded. */
export function UploadsScreen() {
  useTitle("上传");
  const uploads = useUploads();
  const transfers = useTransfers();
  const known = uploads.data?.data ?? [];
  const [said, setSaid] = useState("");
  const chooser = useRef<HTMLInputElement>(null);
  const [wanted, setWanted] = useState<Upload | null>(null);
  const add = (files: readonly File[]) => {
    const others = uploader.add(files, known);
    const names = others.map(({ name }) => name).join("、");
    setSaid(others.length > 0 ? `没有上传 ${names}：不是视频，也不属于选中的视频` : "");
  };
  const goOn = (upload: Upload) => {
    setWanted(upload);
    chooser.current?.click();
  };
  return (
    <div className="page">
      <header className="page-head">
        <h1 className="page-title">上传</h1>
      </header>
      <DropZone onFiles={add} />
      {said ? (
        <p className="field-fault" role="alert">
          {said}
        </p>
      ) : null}
      <input
        ref={chooser}
        type="file"
        hidden
        aria-label={`再次选择 ${wanted?.name ?? ""}`}
        onChange={({ target }) => {
          const [file] = target.files ?? [];
          target.value = "";
          if (!file || !wanted) return;
          if (isSame(file, wanted)) add([file]);
          else setSaid(NOT_SAME);
        }}
      />
      <Loaded query={uploads}>
        {({ data }) => <Rows known={data} transfers={transfers} onGoOn={goOn} />}
      </Loaded>
    </div>
  );
}

function Rows({
  known,
  transfers,
  onGoOn,
}: {
  readonly known: readonly Upload[];
  readonly transfers: readonly Transfer[];
  readonly onGoOn: (upload: Upload) => void;
}) {
  const isKnown = new Set(known.map(({ id }) => id));
  const fresh = transfers.filter(({ id }) => !isKnown.has(id));
  // While films are sent, what goes with them is on its way to them.
  const shown = known.filter(({ is_film }) => is_film || transfers.length === 0);
  const rows: { upload: Upload | undefined; transfer: Transfer | undefined }[] = [
    ...fresh.map((transfer) => ({ upload: undefined, transfer })),
    ...shown.map((upload) => ({
      upload,
      transfer: transfers.find(({ id }) => id === upload.id),
    })),
  ];
  return (
    <section className="card" aria-label="文件">
      {rows.length === 0 ? <Empty>还没有上传</Empty> : null}
      <ul className="rows">
        {rows.map(({ upload, transfer }) => (
          // The same row before and after the server lists it: what is typed or asked in it stays.
          <UploadRow
            key={transfer?.key ?? upload?.id}
            upload={upload}
            transfer={transfer}
            onGoOn={onGoOn}
          />
        ))}
      </ul>
    </section>
  );
}
