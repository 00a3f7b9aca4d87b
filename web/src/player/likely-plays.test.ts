// @vitest-environment happy-dom
import { beforeEach, describe, expect, it, vi } from "vitest";
import { pathsInSight } from "./likely-plays.ts";

const HEIGHT = 800;

function tile(path: string | null, top: number): HTMLElement {
  const link = document.createElement("a");
  if (path) link.dataset.path = path;
  link.getBoundingClientRect = () => new DOMRect(0, top, 180, 150);
  return link;
}

it("finds the tiles that lie wholly in the window, from its middle on", () => {
  const page = document.createElement("main");
  page.append(tile("above", -10), tile("high", 20), tile("middle", 320));
  page.append(tile("low", 640), tile("below", 700), tile(null, 400));
  expect(pathsInSight(page, HEIGHT)).toEqual(["middle", "high", "low"]);
});

describe("while a page is looked at", () => {
  const fetched: string[] = [];
  const prepare = vi.fn();

  beforeEach(async () => {
    vi.useFakeTimers();
    vi.resetModules();
    fetched.length = 0;
    window.innerHeight = HEIGHT;
    const engine = await import("./hls-engine.ts");
    const openings = await import("./openings.ts");
    vi.spyOn(engine, "keepSpareEngine").mockResolvedValue();
    vi.spyOn(openings, "fetchOpening").mockImplementation(async (path) => void fetched.push(path));
    (await import("./likely-plays.ts")).watchLikelyPlays(prepare);
    return () => vi.useRealTimers();
  });

  async function comeToRest(screen: number, rows = 5): Promise<void> {
    const tiles = Array.from({ length: rows }, (_, row) => tile(`/${screen}/${row}`, row * 150));
    document.body.replaceChildren(...tiles);
    window.dispatchEvent(new Event("scroll"));
    await vi.advanceTimersByTimeAsync(599);
    expect(fetched.filter((path) => path.startsWith(`/${screen}/`))).toEqual([]);
    await vi.advanceTimersByTimeAsync(1);
  }

  it("fetches four beginnings each time it stands still, and twelve at most", async () => {
    for (const [screen, count] of [4, 8, 12, 12].entries()) {
      await comeToRest(screen);
      expect(fetched).toHaveLength(count);
    }
    expect(new Set(fetched).size).toBe(12);
    expect(prepare).toHaveBeenCalled();
  });

  it("fetches none twice, and none where data are to be saved or the network is very slow", async () => {
    const connection = { saveData: false, effectiveType: "4g" };
    Object.assign(navigator, { connection });
    await comeToRest(1);
    await vi.advanceTimersByTimeAsync(1000);
    window.dispatchEvent(new Event("scroll"));
    await vi.advanceTimersByTimeAsync(600);
    expect(new Set(fetched).size).toBe(fetched.length);
    const before = fetched.length;
    connection.effectiveType = "slow-2g";
    await comeToRest(2);
    Object.assign(connection, { effectiveType: "4g", saveData: true });
    await comeToRest(3);
    expect(fetched).toHaveLength(before);
    connection.saveData = false;
    await comeToRest(4);
    expect(fetched.length).toBeGreaterThan(before);
  });
});
