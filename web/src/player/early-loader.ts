import type Hls from "hls.js";
import type {
  HlsConfig,
  Loader,
  LoaderCallbacks,
  LoaderConfiguration,
  LoaderContext,
} from "hls.js";
import type { Part } from "./hls-playlist.ts";
import { AnswerError, type EarlyFile, fetchFile, takeEarlyFile } from "./openings.ts";

type Callbacks = LoaderCallbacks<LoaderContext>;
/** What the library asked for, and how long it waits for it, milliseconds. */
interface Asked {
  readonly part: Part;
  readonly late: number;
  readonly context: LoaderContext;
  readonly callbacks: Callbacks;
}

type LoaderClass = new (config: HlsConfig) => Loader<LoaderContext>;

let made: LoaderClass | null = null;

/**
 * The library's own loader, with two differences.
 *
 * Files which have come early, or are under way, need no request. Their times are those that the
 * network needed: from a file that came out of memory at once, the library would conclude that it may
 * begin with the largest rendition.
 *
 * A range that comes short is asked for again, past the browser's cache. Chromium's private windows
 * answer from memory with the first bytes alone, as a success, where two ranges of a file that was
 * played before are asked for at the same time, as after a reload.
 */
export function earlyLoader(HlsClass: typeof Hls): LoaderClass {
  made ??= class EarlyLoader extends (HlsClass.DefaultConfig.loader as LoaderClass) {
    readonly #life = new AbortController();

    override load(context: LoaderContext, config: LoaderConfiguration, callbacks: Callbacks): void {
      const { url, rangeStart: start = 0, rangeEnd: end = 0 } = context;
      const part = { url, start, end };
      const late = config.loadPolicy.maxLoadTimeMs;
      const ask = () =>
        super.load(context, config, {
          ...callbacks,
          onSuccess: (response, ...rest) => {
            const { data } = response;
            const give = () => callbacks.onSuccess(response, ...rest);
            const isShort = data instanceof ArrayBuffer && data.byteLength < end - start;
            if (isShort) void this.#askAgain({ part, late, context, callbacks }, give);
            else give();
          },
        });
      const coming = takeEarlyFile(part);
      if (!coming) return ask();
      this.context = context;
      const answer = async () => {
        const file = await withinTime(coming, late);
        if (this.#life.signal.aborted) return;
        if (file) this.#give(file, context, callbacks);
        else ask();
      };
      void answer();
    }

    async #askAgain(
      { part, late, context, callbacks }: Asked,
      giveShort: () => void,
    ): Promise<void> {
      const { signal } = this.#life;
      console.info("分片不完整，重新下载", part.url);
      try {
        const file = await withinTime(fetchFile(part, { cache: "no-store", signal }), late);
        if (signal.aborted) return;
        if (file) this.#give(file, context, callbacks);
        else callbacks.onTimeout(this.stats, context, null);
      } catch (error) {
        if (signal.aborted) return;
        const code = error instanceof AnswerError ? error.status : 0;
        // Where every answer is cut short, the library fails with it: there is still the plain file.
        if (code >= 200 && code < 300) giveShort();
        else callbacks.onError({ code, text: String(error) }, context, null, this.stats);
      }
    }

    #give(file: EarlyFile, context: LoaderContext, { onSuccess }: Callbacks): void {
      noteTimes(this.stats, file);
      onSuccess({ url: context.url, data: file.data, code: 200 }, this.stats, context, null);
    }

    override abort(): void {
      this.#life.abort();
      super.abort();
    }

    override destroy(): void {
      this.#life.abort();
      super.destroy();
    }
  };
  return made;
}

function noteTimes(stats: Loader<LoaderContext>["stats"], file: EarlyFile): void {
  const end = performance.now();
  stats.loading.start = end - file.wholeMs;
  stats.loading.first = stats.loading.start + file.firstMs;
  stats.loading.end = end;
  stats.loaded = file.bytes;
  stats.total = file.bytes;
}

/** Nothing where it takes longer than the library would wait for its own request. */
async function withinTime(
  coming: Promise<EarlyFile | undefined>,
  milliseconds: number,
): Promise<EarlyFile | undefined> {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const late = new Promise<undefined>((resolve) => {
    timer = setTimeout(() => resolve(undefined), milliseconds);
  });
  const file = await Promise.race([coming, late]);
  clearTimeout(timer);
  return file;
}
