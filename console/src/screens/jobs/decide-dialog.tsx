import "@/screens/jobs/jobs.css";
import { useState } from "react";
import type { Accepted } from "@/features/jobs/undecided.ts";
import type { Job } from "@/shared/api/types.ts";
import { ConfirmDialog } from "@/shared/ui/dialog.tsx";

interface DecideDialogProps {
  readonly job: Job;
  readonly name: string;
  readonly accepted: Accepted;
  readonly isBusy: boolean;
  readonly fault: string | undefined;
  readonly onConfirm: () => void;
  readonly onClose: () => void;
}

/** The film that was stopped, to be looked at before it is imported all the same. */
export function DecideDialog(props: DecideDialogProps) {
  const { job, name, accepted, isBusy, fault, onConfirm, onClose } = props;
  const [isUnplayable, setIsUnplayable] = useState(false);
  return (
    <ConfirmDialog
      title="仍要导入？"
      text={accepted.question}
      action="仍要导入"
      isBusy={isBusy}
      fault={fault}
      onConfirm={onConfirm}
      onClose={onClose}
    >
      {isUnplayable ? (
        <p className="page-lead">浏览器放不了这个文件，或文件在放入队列的那台服务器上。</p>
      ) : (
        // oxlint-disable-next-line jsx-a11y/media-has-caption -- the file as it came, with what it has
        <video
          className="decide-film"
          src={`/api/jobs/${job.id}/film`}
          aria-label={name}
          controls
          playsInline
          preload="metadata"
          onError={() => {
            setIsUnplayable(true);
          }}
        />
      )}
      <p className="row-title">{name}</p>
      <p className="row-meta tone-warning">{job.cause}</p>
    </ConfirmDialog>
  );
}
