import { DetailedError, Upload } from "tus-js-client";

export const ENDPOINT = "/api/uploads";
/** A request's share of a file: a proxy that collects requests collects no more. */
const CHUNK_BYTES = 32 * 1024 * 1024;
/** Some two minutes without a server, which starts again meanwhile; then it is said. */
const RETRY_MS = [300, 1000, 2000, 4000, 8000, 15_000, 15_000, 15_000, 30_000, 30_000];
const NETWORK = "网络断了，接上后会继续";
/** Others came first; too many requests; the server is busy, or its disk full for a moment. */
const PASSING = new Set([0, 409, 423, 429, 502, 503, 504]);

export interface SendingOptions {
  readonly file: File;
  /** Ids of the uploads that go with it. */
  readonly beside: readonly string[];
  /** Where an earlier attempt ended; empty for a new upload. */
  readonly id: string;
  readonly onId: (id: string) => void;
  readonly onSent: (sent: number) => void;
  readonly onDone: () => void;
  readonly onFault: (message: string, status: number) => void;
}

/** The id at the end of an upload's address. */
function idOf(address: string | null): string {
  return address?.split("/").at(-1) ?? "";
}

/** One file on its way; `start` also continues, `abort` pauses. */
export function sending(options: SendingOptions): Upload {
  const { file, beside, id } = options;
  const upload: Upload = new Upload(file, {
    endpoint: ENDPOINT,
    ...(id ? { uploadUrl: `${ENDPOINT}/${id}` } : {}),
    chunkSize: CHUNK_BYTES,
    retryDelays: RETRY_MS,
    // The server lists what is unfinished, whichever browser began it.
    storeFingerprintForResuming: false,
    metadata: {
      filename: file.name,
      lastModified: String(file.lastModified),
      ...(beside.length > 0 ? { beside: beside.join(",") } : {}),
    },
    onUploadUrlAvailable: () => {
      options.onId(idOf(upload.url));
    },
    onProgress: (sent) => {
      options.onSent(sent);
    },
    onSuccess: () => {
      options.onDone();
    },
    onShouldRetry: (error) => PASSING.has(statusOf(error)),
    onError: (error) => {
      options.onFault(messageOf(error), statusOf(error));
    },
  });
  return upload;
}

/** Gives up an upload, wherever it began. */
export async function giveUp(id: string): Promise<void> {
  await Upload.terminate(`${ENDPOINT}/${id}`, { retryDelays: [500, 2000] });
}

function statusOf(error: unknown): number {
  return error instanceof DetailedError ? (error.originalResponse?.getStatus() ?? 0) : 0;
}

/** What the server said, or that it said nothing. */
export function messageOf(error: unknown): string {
  if (!(error instanceof DetailedError) || !error.originalResponse) return NETWORK;
  try {
    const { msg } = JSON.parse(error.originalResponse.getBody()) as { msg?: string };
    return msg ?? NETWORK;
  } catch {
    return error.originalResponse.getStatus() === 404 ? "这个上传已不在服务器上" : NETWORK;
  }
}
