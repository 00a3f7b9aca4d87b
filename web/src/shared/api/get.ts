import { call, type QueryParams, queryOf } from "./client.ts";
import { takeInlined } from "./inlined.ts";
import type { GetAnswer, GetParameters, GetPath } from "./wire.ts";

type Opener = (address: string, rescont: unknown) => Promise<unknown>;
type PathValues = Readonly<Record<string, string | number>>;

let findOpener: (() => Promise<Opener>) | undefined;

/**
 * Set what every answer passes; called once at the start, where the site has an age gate.
 *
 * @param given - Asked for each answer: what the network lost once may come the next time.
 */
export function openWith(given: () => Promise<Opener>): void {
  findOpener = given;
}

function fill(path: string, values: PathValues): string {
  return path.replace(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(String(values[name])));
}

/**
 * Send a GET call of the contract, unless the document brought its answer.
 *
 * @param path - Address as the OpenAPI document writes it.
 * @param parameters - Its path and query values, checked against the document.
 * @param headers - Such as `asVisitor()`, for answers that are one visitor's own.
 * @returns The envelope's `rescont`, in the wire's spelling.
 * @throws {@link ApiError}; see `call`.
 */
export async function get<P extends GetPath>(
  path: P,
  parameters: GetParameters<P>,
  signal?: AbortSignal,
  headers: Readonly<Record<string, string>> = {},
): Promise<GetAnswer<P>> {
  const { query, path: values } = parameters as { query?: QueryParams; path?: PathValues };
  const address = fill(path, values ?? {});
  const rescont =
    takeInlined(address + queryOf(query)) ??
    (await call("GET", address, { params: query ?? {}, headers, signal }));
  const opener = await findOpener?.();
  return (opener ? await opener(address, rescont) : rescont) as GetAnswer<P>;
}
