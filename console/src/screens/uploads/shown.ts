import { undecided } from "@/features/jobs/undecided.ts";
import type { Transfer } from "@/features/uploads/transfer.ts";
import type { Upload } from "@/shared/api/types.ts";
import { size } from "@/shared/format/amount.ts";
import { moment, span } from "@/shared/format/moment.ts";
import { jobTone, type Tone } from "@/shared/ui/tones.ts";

/** What a row says of a film, from what the server has and what this page sends. */
export interface Shown {
  /** The file. */
  readonly name: string;
  /** What was typed, or the file. */
  readonly title: string;
  readonly state: string;
  /** 0 to 1; null where there is nothing to measure. */
  readonly share: number | null;
  readonly told: string;
  readonly fault: string;
  readonly tone: Tone;
  /** Whether nothing is lost when the row goes. */
  readonly isEnded: boolean;
  readonly canPause: boolean;
  readonly canResume: boolean;
  /** Whether the file must be chosen again to go on. */
  readonly canChoose: boolean;
  readonly canDescribe: boolean;
  /** What the button that ends it says; empty for none. */
  readonly endName: string;
}

const TRANSFER_STATES: Record<Transfer["state"], Pick<Shown, "state" | "tone">> = {
  waiting: { state: "排队", tone: "neutral" },
  sending: { state: "上传中", tone: "neutral" },
  paused: { state: "已暂停", tone: "attention" },
  held: { state: "等待恢复", tone: "attention" },
  broken: { state: "已中断", tone: "danger" },
  done: { state: "已传完", tone: "good" },
};

export function shownOf(upload: Upload | undefined, transfer: Transfer | undefined): Shown {
  const isArriving = upload === undefined || upload.state === "arriving";
  if (transfer && isArriving) return sentHere(upload, transfer);
  if (upload?.state === "arriving") return sentElsewhere(upload);
  return stillTelling(arrived(upload), transfer);
}

/** What was typed and did not reach the server is not forgotten with the last byte. */
function stillTelling(shown: Shown, transfer: Transfer | undefined): Shown {
  if (!transfer?.detailsFault) return shown;
  const fault = [shown.fault, transfer.detailsFault].filter(Boolean).join("；");
  return { ...shown, fault, canDescribe: true };
}

const NOTHING = {
  share: null,
  fault: "",
  tone: "neutral",
  isEnded: false,
  canPause: false,
  canResume: false,
  canChoose: false,
  canDescribe: false,
  endName: "",
} as const;

function sentHere(upload: Upload | undefined, transfer: Transfer): Shown {
  const { file, beside } = transfer.film;
  const { state, sent, speed, secondsLeft } = transfer;
  const pace = speed === null || state !== "sending" ? "" : `，每秒 ${size(speed)}`;
  const rest = secondsLeft === null || state !== "sending" ? "" : `，还要 ${span(secondsLeft)}`;
  const others = beside.length > 0 ? `，附带 ${beside.length} 个文件` : "";
  return {
    ...NOTHING,
    name: file.name,
    title: transfer.details?.title ?? upload?.details.title ?? file.name,
    ...TRANSFER_STATES[state],
    share: file.size > 0 ? sent / file.size : 0,
    told: `${size(sent)} / ${size(file.size)}${pace}${rest}${others}`,
    fault: [transfer.fault, transfer.detailsFault].filter(Boolean).join("；"),
    canPause: state === "sending",
    canResume: state === "paused" || state === "held" || state === "broken",
    canDescribe: true,
    endName: state === "done" ? "" : "取消",
  };
}

function sentElsewhere(upload: Upload): Shown {
  const got = `${size(upload.received)} / ${size(upload.bytes)}`;
  const until = `${moment(upload.expires_at)} 前可以继续`;
  return {
    ...NOTHING,
    name: upload.name,
    title: upload.details.title ?? upload.name,
    state: "未传完",
    tone: "attention",
    share: upload.received / upload.bytes,
    told: `${got}，${until}，${upload.operator} 上传`,
    canChoose: upload.is_film,
    canDescribe: upload.is_film,
    endName: "取消",
  };
}

function arrived(upload: Upload | undefined): Shown {
  const name = upload?.name ?? "";
  const job = upload?.job;
  const base = {
    ...NOTHING,
    name,
    title: upload?.details.title ?? name,
    told: size(upload?.bytes ?? 0),
  };
  if (upload?.state === "faulty")
    return {
      ...base,
      state: "不能导入",
      fault: upload.fault,
      tone: "danger",
      endName: "取消",
    };
  if (upload && !upload.is_film) return { ...base, state: "等待它的视频", endName: "取消" };
  if (!job)
    return {
      ...base,
      state: upload?.state === "queued" ? "已导入" : "正在整理",
      canDescribe: upload?.state === "complete",
      isEnded: upload?.state === "queued",
      endName: upload?.state === "queued" ? "移除" : "",
    };
  const canDescribe = upload.video_id === null;
  if (job.state === "running") {
    const rest = job.seconds_left === null ? "" : `，还要 ${span(job.seconds_left)}`;
    const stage = job.stage ? `${job.stage} ` : "";
    return {
      ...base,
      state: upload.video_id === null ? "处理中" : "可播放，继续处理",
      share: job.progress,
      told: `${stage}${Math.round(job.progress * 100)}%${rest}`,
      canDescribe,
    };
  }
  const ended = { ...base, isEnded: true, endName: "移除" };
  if (job.state === "failed")
    return {
      ...ended,
      state: undecided(job) ? "等你决定" : "处理失败",
      fault: job.cause,
      tone: jobTone("failed", undecided(job) !== null),
    };
  if (job.state === "cancelled") return { ...ended, state: "已取消" };
  if (job.state === "done") return { ...ended, state: "已完成", tone: jobTone("done", false) };
  return { ...base, state: "等待处理", fault: job.cause, canDescribe };
}
