declare const self: ServiceWorkerGlobalScope;

/**
 * Lets the site open offline: its files come from a cache that the installation fills, its
 * documents from the network if there is one. What a visitor keeps on the device (history,
 * favourites) is then readable.
 */
interface Precache {
  /** Changes with every build. */
  readonly version: string;
  /** Addresses of the build's files; their names change with their content. */
  readonly files: readonly string[];
}

/** Written by the build (`build/service-worker.ts`). */
declare const PRECACHE: Precache;

// Read once: the build writes it where it is named.
const { version, files: buildFiles } = PRECACHE;
const FILES = "files";
const DOCUMENTS = `documents ${version}`;
const HOME = "/home";
/** The document of every other screen; which one is requested does not matter. */
const SHELL = "/mine";
/** Their documents contain one video's or one list's data, and serve no other. */
const FILLED = new Set(["/playVideo", "/list"]);

/** Fetch what an offline start needs. Unchanged files of an earlier build are not fetched again. */
export async function fillOffline(): Promise<void> {
  const files = await caches.open(FILES);
  const missing: string[] = [];
  for (const file of buildFiles) if (!(await files.match(file))) missing.push(file);
  await files.addAll(missing);
  await (await caches.open(DOCUMENTS)).addAll([HOME, SHELL]);
}

/**
 * Delete the documents of earlier builds, and files that no document of this one names.
 *
 * @param others - Names of caches that are none of ours and stay.
 */
export async function forgetOldBuilds(others: readonly string[]): Promise<void> {
  const current = new Set([FILES, DOCUMENTS, ...others]);
  for (const name of await caches.keys()) if (!current.has(name)) await caches.delete(name);
  const files = await caches.open(FILES);
  const known = new Set(buildFiles);
  for (const request of await files.keys()) {
    if (!known.has(new URL(request.url).pathname)) await files.delete(request);
  }
  await self.registration.navigationPreload?.enable();
}

/** A file of the build: from the cache, else from the network. */
export async function answerFile(request: Request): Promise<Response> {
  return (await caches.match(request, { cacheName: FILES })) ?? fetch(request);
}

/** Whether a request is for a file of this build. */
export function isBuildFile(url: URL): boolean {
  return url.origin === self.location.origin && buildFiles.includes(url.pathname);
}

/** A document: from the network, whose response is cached; the cached one where there is no network. */
export async function answerDocument(event: FetchEvent): Promise<Response> {
  const { pathname } = new URL(event.request.url);
  const key = pathname === "/" || pathname === HOME ? HOME : SHELL;
  try {
    const answer =
      ((await event.preloadResponse) as Response | undefined) ?? (await fetch(event.request));
    if (isScreen(answer) && !FILLED.has(pathname)) event.waitUntil(keep(key, answer.clone()));
    return answer;
  } catch (error) {
    const cached = await caches.match(key, { cacheName: DOCUMENTS });
    if (cached) return cached;
    throw error;
  }
}

/**
 * Whether a response is one of the application's documents. A visitor may open any other address of
 * the site (/robots.txt, a call, a video): stored as the shell it would replace every screen.
 */
function isScreen({ ok, redirected, headers }: Response): boolean {
  const isHtml = headers.get("content-type")?.startsWith("text/html") === true;
  const mayStay = !/\bno-store\b/.test(headers.get("cache-control") ?? "");
  return ok && !redirected && isHtml && mayStay;
}

async function keep(key: string, answer: Response): Promise<void> {
  try {
    await (await caches.open(DOCUMENTS)).put(key, answer);
  } catch (error) {
    // A full disk: the page itself has its answer.
    console.info(error);
  }
}
