import type Hls from "hls.js";
import type {
  HlsConfig,
  Loader,
  LoaderCallbacks,
  LoaderConfiguration,
  LoaderContext,
} from "hls.js";
import { type EarlyFile, takeEarlyFile } from "./openings.ts";

type LoaderClass = new (config: HlsConfig) => Loader<LoaderContext>;

let made: LoaderClass | null = null;

/**
 * The library's own loader, except that files which have come early, or are under way, need no
 * request. Their times are those that the network needed: from a file that came out of memory at once,
 * the library would conclude that it may begin with the largest rendition.
 */
export function earlyLoader(HlsClass: typeof Hls): LoaderClass {
  made ??= class EarlyLoader extends (HlsClass.DefaultConfig.loader as LoaderClass) {
    #isOver = false;

    override load(
      context: LoaderContext,
      config: LoaderConfiguration,
      callbacks: LoaderCallbacks<LoaderContext>,
    ): void {
      const { url, rangeStart = 0, rangeEnd = 0 } = context;
      const coming = takeEarlyFile({ url, start: rangeStart, end: rangeEnd });
      if (!coming) return super.load(context, config, callbacks);
      this.context = context;
      const answer = async () => {
        const file = await withinTime(coming, config.loadPolicy.maxLoadTimeMs);
        if (this.#isOver) return;
        if (!file) return super.load(context, config, callbacks);
        noteTimes(this.stats, file);
        const { data } = file;
        callbacks.onSuccess({ url: context.url, data, code: 200 }, this.stats, context, null);
      };
      void answer();
    }

    override abort(): void {
      this.#isOver = true;
      super.abort();
    }

    override destroy(): void {
      this.#isOver = true;
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
