import { beforeEach, expect, it, vi } from "vitest";
import { BlobCache } from "./blob-cache.ts";

const revoked: string[] = [];
let made = 0;

beforeEach(() => {
  revoked.length = 0;
  made = 0;
  vi.spyOn(URL, "createObjectURL").mockImplementation(() => `blob:${++made}`);
  vi.spyOn(URL, "revokeObjectURL").mockImplementation((address) => void revoked.push(address));
});

const cacheOf = (limit: number, load = vi.fn(async () => new Blob())) => ({
  cache: new BlobCache(limit, load),
  load,
});

it("loads a picture once for several users", async () => {
  const { cache, load } = cacheOf(2);
  expect(await Promise.all([cache.acquire("a"), cache.acquire("a")])).toEqual(["blob:1", "blob:1"]);
  expect(load).toHaveBeenCalledOnce();
});

it("revokes the least recently used beyond its limit, and none that is on the screen", async () => {
  const { cache } = cacheOf(1);
  for (const url of ["a", "b", "c"]) await cache.acquire(url);
  cache.release("b");
  cache.release("c");
  await Promise.resolve();
  expect(revoked).toEqual(["blob:2"]);
  expect(cache.size).toBe(2);
});

it("loads again what failed", async () => {
  const load = vi
    .fn<(url: string) => Promise<Blob>>()
    .mockRejectedValueOnce(new Error("404"))
    .mockResolvedValue(new Blob());
  const cache = new BlobCache(1, load);
  await expect(cache.acquire("a")).rejects.toThrow("404");
  cache.release("a");
  expect(await cache.acquire("a")).toBe("blob:1");
});
