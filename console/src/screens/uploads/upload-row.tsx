import { useMutation, useQueryClient } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { type ReactNode, useState } from "react";
import { undecided } from "@/features/jobs/undecided.ts";
import { giveUp, messageOf } from "@/features/uploads/sending.ts";
import type { Transfer } from "@/features/uploads/transfer.ts";
import { UPLOADS, uploader } from "@/features/uploads/use-uploads.ts";
import { DetailsDialog } from "@/screens/uploads/details-dialog.tsx";
import { type Shown, shownOf } from "@/screens/uploads/shown.ts";
import type { Upload } from "@/shared/api/types.ts";
import { Badge } from "@/shared/ui/badge.tsx";
import { ConfirmDialog } from "@/shared/ui/dialog.tsx";

/**
 * A film on its way: one that this page sends, which the server may not list yet, or one that the
 * server knows, or both.
 */
export function UploadRow({
  upload,
  transfer,
  onGoOn,
}: {
  readonly upload: Upload | undefined;
  readonly transfer: Transfer | undefined;
  readonly onGoOn: (upload: Upload) => void;
}) {
  const shown = shownOf(upload, transfer);
  return (
    <Row shown={shown} upload={upload} transfer={transfer}>
      {upload && shown.canChoose ? (
        <RowButton
          name="继续"
          of={shown.name}
          onClick={() => {
            onGoOn(upload);
          }}
        />
      ) : null}
    </Row>
  );
}

function Row({
  shown,
  upload,
  transfer,
  children,
}: {
  readonly shown: Shown;
  readonly upload: Upload | undefined;
  readonly transfer: Transfer | undefined;
  readonly children?: ReactNode;
}) {
  const [isDescribed, setIsDescribed] = useState(false);
  const { name } = shown;
  return (
    <li className="upload-row">
      <div className="row-text">
        <p className="upload-head">
          <span className="row-title">{shown.title}</span>
          <Badge tone={shown.tone}>{shown.state}</Badge>
        </p>
        {shown.title === name ? null : <p className="row-meta">{name}</p>}
        {shown.share === null ? null : (
          <progress className="bar" max={1} value={shown.share} aria-label={name} />
        )}
        <p className="row-meta">{shown.told}</p>
        {shown.fault ? (
          <p className="row-meta tone-error" role="alert">
            {shown.fault}
          </p>
        ) : null}
      </div>
      <div className="upload-actions">
        {shown.canPause && transfer ? (
          <RowButton
            name="暂停"
            of={name}
            onClick={() => {
              uploader.pause(transfer.key);
            }}
          />
        ) : null}
        {shown.canResume && transfer ? (
          <RowButton
            name="继续"
            of={name}
            onClick={() => {
              uploader.resume(transfer.key);
            }}
          />
        ) : null}
        {children}
        {shown.canDescribe ? (
          <RowButton
            name="填写"
            of={name}
            onClick={() => {
              setIsDescribed(true);
            }}
          />
        ) : null}
        {upload?.video_id ? (
          <Link
            to="/videos/$id"
            params={{ id: String(upload.video_id) }}
            className="button button-small"
            aria-label={`查看视频 ${name}`}
          >
            查看视频
          </Link>
        ) : null}
        {upload?.job?.state === "failed" && upload.job.fault !== "refused" ? (
          <Link to="/jobs" search={{ state: "failed" }} className="button button-small">
            {undecided(upload.job) ? "去决定" : "去重试"}
          </Link>
        ) : null}
        <EndButton shown={shown} upload={upload} transfer={transfer} />
      </div>
      {isDescribed ? (
        <DetailsDialog
          upload={upload}
          transfer={transfer}
          name={name}
          onClose={() => {
            setIsDescribed(false);
          }}
        />
      ) : null}
    </li>
  );
}

/** Gives an upload up after a question; forgets one that ended without. */
function EndButton({
  shown,
  upload,
  transfer,
}: {
  readonly shown: Shown;
  readonly upload: Upload | undefined;
  readonly transfer: Transfer | undefined;
}) {
  const client = useQueryClient();
  const [isAsked, setIsAsked] = useState(false);
  const end = useMutation({
    mutationFn: async () => {
      if (transfer && !shown.isEnded) await uploader.cancel(transfer.key);
      else {
        if (transfer) uploader.forget(transfer.key);
        if (upload) await giveUp(upload.id);
      }
    },
    onSettled: () => client.invalidateQueries({ queryKey: UPLOADS }),
    onSuccess: () => {
      setIsAsked(false);
    },
  });
  if (!shown.endName) return null;
  return (
    <>
      <RowButton
        name={shown.endName}
        of={shown.name}
        onClick={() => {
          if (shown.isEnded) end.mutate();
          else setIsAsked(true);
        }}
      />
      {isAsked ? (
        <ConfirmDialog
          title="取消上传"
          text={`${shown.name} 已传的部分会从服务器上删除。`}
          action="取消上传"
          isBusy={end.isPending}
          fault={end.error ? messageOf(end.error) : undefined}
          onConfirm={() => {
            end.mutate();
          }}
          onClose={() => {
            setIsAsked(false);
          }}
        />
      ) : null}
    </>
  );
}

function RowButton({
  name,
  of,
  onClick,
}: {
  readonly name: string;
  /** The file, for screen readers. */
  readonly of: string;
  readonly onClick: () => void;
}) {
  return (
    <button
      type="button"
      className="button button-small"
      aria-label={`${name} ${of}`}
      onClick={onClick}
    >
      {name}
    </button>
  );
}
