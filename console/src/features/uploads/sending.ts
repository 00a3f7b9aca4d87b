import { DetailedError, Upload } from "tus-js-client";

export const ENDPOINT = "/api/uploads";
/** A request's share of a file: a proxy that collects requests collects no more. */
const CHUNK_BYTES = 32 * 1024 * 1024;
/** Some two minutes without a server, which starts again meanwhile; then it is said. */
const RETRY_MS = [300, 1000, 2000, 4000, 8000, 15_000, 15_000, 15_000, 30_000, 30_000];
const NO_ANSWER = "连不上服务器，请检查网络或隧道";
const UNREADABLE = "读不到这个文件了，可能已移动或修改，请取消后重新选择";
const AWAY = "恢复后会自动继续";
const LOGGED_OUT = "登录已失效，重新登录后会自动继续";
/** No answer at all; too many requests; the server, or what stands before it, is away or busy. */
const AWAY_STATUSES = new Set([0, 429, 502, 503, 504]);
/** The same, and others that came first. */
const PASSING = new Set([...AWAY_STATUSES, 409, 423]);

/**
 * Why a file does not go on: nobody answers, or nobody is logged in, which stops all files alike;
 * the server has lost it; or it is the file's own matter.
 */
export type Reason = "away" | "login" | "lost" | "own";

export class SendingError extends Error {
  readonly reason: Reason;

  constructor(message: string, reason: Reason) {
    super(message);
    this.name = "SendingError";
    this.reason = reason;
  }
}

export interface SendingOptions {
  readonly file: File;
  /** Ids of the uploads that go with it. */
  readonly beside: readonly string[];
  /** Where an earlier attempt ended; empty for a new upload. */
  readonly id: string;
  /** Whether the film is to stay hidden; asked when the upload begins. */
  readonly isHidden: () => boolean;
  readonly onId: (id: string) => void;
  readonly onSent: (sent: number) => void;
  readonly onDone: () => void;
  readonly onFault: (error: SendingError) => void;
}

/** The id at the end of an upload's address. */
function idOf(address: string | null): string {
  return address?.split("/").at(-1) ?? "";
}

/** One file on its way; `start` also continues, `abort` pauses. */
export function sending(options: SendingOptions): Upload {
  const { file, beside, id } = options;
  const upload: Upload = new Upload(file, {
    ...(id ? { uploadUrl: `${ENDPOINT}/${id}` } : { endpoint: ENDPOINT }),
    chunkSize: CHUNK_BYTES,
    retryDelays: RETRY_MS,
    // The server lists what is unfinished, whichever browser began it.
    storeFingerprintForResuming: false,
    metadata: {
      filename: file.name,
      lastModified: String(file.lastModified),
      ...(beside.length > 0 ? { beside: beside.join(",") } : {}),
      // Read with the request: it may be typed while the server does not answer.
      get hidden() {
        return options.isHidden() ? "1" : "";
      },
    },
    onUploadUrlAvailable: () => {
      // With it, whatever is answered in place of an offset would begin a second upload.
      upload.options.endpoint = null;
      options.onId(idOf(upload.url));
    },
    onProgress: (sent) => {
      options.onSent(sent);
    },
    onSuccess: () => {
      options.onDone();
    },
    onShouldRetry: (error) => PASSING.has(statusOf(error)),
    onError: async (error) => {
      options.onFault(await readFault(error, file));
    },
  });
  return upload;
}

/** Gives up an upload, wherever it began. */
export async function giveUp(id: string): Promise<void> {
  await Upload.terminate(`${ENDPOINT}/${id}`, { retryDelays: [500, 2000] });
}

/** Whether a call that was answered so, or not at all (0), may go well later. */
export function isPassing(status: number): boolean {
  return status === 401 || AWAY_STATUSES.has(status);
}

function statusOf(error: unknown): number {
  return error instanceof DetailedError ? (error.originalResponse?.getStatus() ?? 0) : 0;
}

/** To a request, a file that was changed or removed looks like a server that does not answer. */
async function readFault(error: unknown, file: File): Promise<SendingError> {
  const fault = faultOf(error);
  if (fault.reason !== "away") return fault;
  try {
    await file.slice(0, 1).arrayBuffer();
    return fault;
  } catch {
    return new SendingError(UNREADABLE, "own");
  }
}

/** Why a file does not go on, whatever was thrown. */
export function faultOf(error: unknown): SendingError {
  if (error instanceof SendingError) return error;
  // No request was made: the browser cannot open the file.
  if (!(error instanceof DetailedError)) return new SendingError(UNREADABLE, "own");
  const status = statusOf(error);
  if (status === 401) return new SendingError(LOGGED_OUT, "login");
  const said = messageOf(error);
  if (AWAY_STATUSES.has(status)) return new SendingError(`${said}。${AWAY}`, "away");
  return new SendingError(said, status === 404 || status === 410 ? "lost" : "own");
}

/** What the server said, or that it said nothing. */
export function messageOf(error: unknown): string {
  if (!(error instanceof DetailedError) || !error.originalResponse) return NO_ANSWER;
  const status = error.originalResponse.getStatus();
  try {
    const { msg } = JSON.parse(error.originalResponse.getBody()) as { msg?: string };
    if (msg) return msg;
  } catch {
    // Nothing to read, as in answers to HEAD, or a page of what stands before the server.
  }
  if (status === 404) return "这个上传已不在服务器上";
  return AWAY_STATUSES.has(status) ? NO_ANSWER : `服务器没有说明原因（${status}）`;
}
