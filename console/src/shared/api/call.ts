interface Problem {
  readonly field: string;
  readonly reason: string;
}

/** What every answer of the console looks like. */
interface Envelope<T> {
  readonly code: number;
  readonly msg: string;
  readonly rescont: T;
}

const NETWORK = "连不上控制台，请检查网络或隧道";
/** The server's sentence for a value that its form alone rules out. */
const GENERAL = "请求参数有误";

/** A call was refused, or never answered: `status` 0. The message is for the operator. */
export class CallError extends Error {
  readonly status: number;
  /** The value at fault, by its name on the wire; empty where no single one is. */
  readonly field: string;

  constructor(message: string, status: number, field = "") {
    super(message);
    this.name = "CallError";
    this.status = status;
    this.field = field;
  }
}

export interface CallOptions {
  readonly method?: "GET" | "POST" | "PUT" | "PATCH" | "DELETE";
  readonly body?: unknown;
  /** Whether the page asks by itself: the server does not take it for the operator's activity. */
  readonly isBackground?: boolean;
  readonly signal?: AbortSignal;
}

/**
 * Calls the console's own server.
 *
 * @throws CallError
 */
export async function call<T>(path: string, options: CallOptions = {}): Promise<T> {
  const { method = "GET", body, isBackground = false, signal } = options;
  const headers: Record<string, string> = {};
  if (body !== undefined) headers["content-type"] = "application/json";
  if (isBackground) headers["x-background"] = "1";
  let response: Response;
  try {
    response = await fetch(path, {
      method,
      headers,
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      ...(signal ? { signal } : {}),
    });
  } catch (error) {
    if (signal?.aborted) throw error;
    throw new CallError(NETWORK, 0);
  }
  const answer = await readEnvelope<T>(response);
  if (!response.ok) throw refusalOf(answer, response.status);
  if (!answer) throw new CallError(NETWORK, response.status);
  return answer.rescont;
}

/** A refusal names the values at fault in place of what was asked for, and why. */
function refusalOf(answer: Envelope<unknown> | null, status: number): CallError {
  const problems = answer?.rescont;
  const first = Array.isArray(problems) ? (problems[0] as Problem | undefined) : undefined;
  return new CallError(sentenceOf(answer?.msg, first), status, first?.field ?? "");
}

/** What the server says. Its general sentence alone would leave the reader without the reason. */
function sentenceOf(said: string | undefined, problem: Problem | undefined): string {
  if (said === undefined) return NETWORK;
  if (said !== GENERAL || !problem?.reason) return said;
  return `${said}：${problem.reason}`;
}

async function readEnvelope<T>(response: Response): Promise<Envelope<T> | null> {
  try {
    return (await response.json()) as Envelope<T>;
  } catch {
    return null;
  }
}
