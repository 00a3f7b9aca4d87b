import { CORE_TEXT } from "@/shared/messages/core-texts.ts";

/** Milliseconds after which a request is given up (specification §7). */
export const TIMEOUT_MS = 60_000;

const UNAUTHORIZED = 401;

/**
 * A failed call. `message` is Chinese and may be shown where the visitor acted
 * (docs/product.md#r13); `cause` is what the server said, or why nothing came from it.
 */
export class ApiError extends Error {
  override readonly name = "ApiError";
  /** The envelope's code; 0 when no envelope arrived. */
  readonly code: number;

  constructor(message: string, code: number, options?: ErrorOptions) {
    super(message, options);
    this.code = code;
  }
}

/** What the client needs of its surroundings. */
export interface ApiSurroundings {
  /** Origin of the API without a trailing slash; empty for our own. */
  baseUrl: string;
  /**
   * The token to send, or null: no token, or the auth-required setting is off (specification §6).
   */
  token: () => string | null;
  /** Leads to the vendor page (specification §8). */
  onUnauthorized: (message: string) => void;
}

const surroundings: ApiSurroundings = { baseUrl: "", token: () => null, onUnauthorized: () => {} };

/** Configure the client; called once at the start. */
export function configureApi(given: Partial<ApiSurroundings>): void {
  Object.assign(surroundings, given);
}

export type QueryParams = Readonly<Record<string, string | number | undefined>>;

type Method = "GET" | "POST" | "DELETE";

export interface CallOptions {
  readonly params?: QueryParams;
  readonly body?: unknown;
  readonly headers?: Readonly<Record<string, string>>;
  readonly signal?: AbortSignal | undefined;
}

interface Envelope {
  code: number;
  msg: string;
  rescont: unknown;
}

/** The query of an address with its question mark; empty where there is none. */
export function queryOf(params: QueryParams = {}): string {
  const query = new URLSearchParams();
  for (const [name, value] of Object.entries(params))
    if (value !== undefined) query.set(name, String(value));
  const text = query.toString();
  return text && `?${text}`;
}

function isEnvelope(value: unknown): value is Envelope {
  return (
    typeof value === "object" && value !== null && "code" in value && typeof value.code === "number"
  );
}

/**
 * One signal for the caller's abort and the time limit. `AbortSignal.any` is too new for in-app
 * browsers.
 */
function deadline(signal: AbortSignal | undefined): { signal: AbortSignal; release: () => void } {
  const controller = new AbortController();
  const stop = () => controller.abort(signal?.reason);
  const timer = setTimeout(
    () => controller.abort(new DOMException("timeout", "TimeoutError")),
    TIMEOUT_MS,
  );
  if (signal?.aborted) stop();
  signal?.addEventListener("abort", stop, { once: true });
  const release = () => {
    clearTimeout(timer);
    signal?.removeEventListener("abort", stop);
  };
  return { signal: controller.signal, release };
}

function requestOf(
  method: string,
  { body, headers }: CallOptions,
  signal: AbortSignal,
): RequestInit {
  const token = surroundings.token();
  return {
    method,
    signal,
    credentials: "include",
    headers: {
      Accept: "application/json",
      ...(body === undefined ? {} : { "Content-Type": "application/json" }),
      ...(token ? { Authorization: `Bearer ${token}` } : {}),
      ...headers,
    },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  };
}

/**
 * The result of a successful call: its message for the visitor, and its payload in wire spelling.
 */
export interface CallAnswer {
  readonly msg: string;
  readonly rescont: unknown;
}

/**
 * Send a call and open its envelope, whose `code` decides (docs/product.md#r12): 2xx succeeds, 401
 * leads to the vendor page, anything else rejects with 网络异常，请稍后重试 (specification §8).
 *
 * @throws {@link ApiError} on any other code, a broken answer, no network or the time limit.
 * @throws The signal's reason when the caller stopped it.
 */
export async function callForAnswer(
  method: Method,
  path: string,
  options: CallOptions = {},
): Promise<CallAnswer> {
  const limit = deadline(options.signal);
  let answer: unknown;
  try {
    const response = await fetch(
      surroundings.baseUrl + path + queryOf(options.params),
      requestOf(method, options, limit.signal),
    );
    answer = await response.json();
  } catch (cause) {
    if (options.signal?.aborted) throw cause;
    throw new ApiError(CORE_TEXT.networkError, 0, { cause });
  } finally {
    limit.release();
  }
  if (!isEnvelope(answer)) throw new ApiError(CORE_TEXT.networkError, 0);
  if (answer.code >= 200 && answer.code < 300) return answer;
  if (answer.code === UNAUTHORIZED) {
    surroundings.onUnauthorized(answer.msg);
    throw new ApiError(answer.msg, UNAUTHORIZED);
  }
  throw new ApiError(CORE_TEXT.networkError, answer.code, { cause: answer.msg });
}

/** Like {@link callForAnswer}. @returns The envelope's `rescont` alone. */
export async function call(
  method: Method,
  path: string,
  options: CallOptions = {},
): Promise<unknown> {
  return (await callForAnswer(method, path, options)).rescont;
}
