import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { ApiError, call, configureApi, TIMEOUT_MS } from "./client.ts";

const fetched = vi.fn<typeof fetch>();

const answering = (body: unknown, status = 200) =>
  fetched.mockResolvedValue(Response.json(body, { status }));
const envelope = (code: number, rescont: unknown = null, msg = "") => ({ code, msg, rescont });

beforeEach(() => {
  fetched.mockReset();
  vi.stubGlobal("fetch", fetched);
  configureApi({ baseUrl: "", token: () => null, onUnauthorized: () => {} });
});

afterEach(() => {
  vi.unstubAllGlobals();
  vi.useRealTimers();
});

describe("the envelope's code decides", () => {
  it.each([200, 204, 299])("%d gives the content, whatever the HTTP status", async (code) => {
    answering(envelope(code, [1]), 500);
    await expect(call("GET", "/api/x")).resolves.toEqual([1]);
  });

  it.each([199, 300, 404, 422, 500])(
    "%d rejects with the network text, also under HTTP 200",
    async (code) => {
      answering(envelope(code, null, "别的话"));
      await expect(call("GET", "/api/x")).rejects.toEqual(
        new ApiError("网络异常，请稍后重试", code),
      );
    },
  );

  it("401 leads to the vendor page and rejects with the server's words", async () => {
    const onUnauthorized = vi.fn();
    configureApi({ onUnauthorized });
    answering(envelope(401, null, "登录已过期"));
    await expect(call("GET", "/api/x")).rejects.toMatchObject({ message: "登录已过期", code: 401 });
    expect(onUnauthorized).toHaveBeenCalledExactlyOnceWith("登录已过期");
  });
});

describe("what is no envelope", () => {
  it.each([
    ["HTML", () => fetched.mockResolvedValue(new Response("<html>"))],
    ["a bare list", () => answering([])],
    ["null", () => answering(null)],
    ["a code in words", () => answering({ code: "200" })],
    ["no network", () => fetched.mockRejectedValue(new TypeError("fetch failed"))],
  ])("%s rejects with the network text", async (_, arrange) => {
    arrange();
    await expect(call("GET", "/api/x")).rejects.toMatchObject({
      message: "网络异常，请稍后重试",
      code: 0,
    });
  });
});

describe("the request", () => {
  it("carries credentials, the query without absent values and the base address", async () => {
    configureApi({ baseUrl: "https://api.example" });
    answering(envelope(200));
    await call("GET", "/api/x", { params: { serach: "猫 & 狗", page: 2, type: undefined } });
    const [url, init] = fetched.mock.calls[0] ?? [];
    expect(url).toBe("https://api.example/api/x?serach=%E7%8C%AB+%26+%E7%8B%97&page=2");
    expect(init).toMatchObject({ method: "GET", credentials: "include" });
    expect(init?.headers).not.toHaveProperty("Authorization");
  });

  it("carries the bearer token when there is one", async () => {
    configureApi({ token: () => "abc" });
    answering(envelope(200));
    await call("POST", "/api/x", { body: { a: 1 } });
    const [, init] = fetched.mock.calls[0] ?? [];
    expect(init?.headers).toMatchObject({
      Authorization: "Bearer abc",
      "Content-Type": "application/json",
    });
    expect(init?.body).toBe('{"a":1}');
  });

  it("is given up after 60 s", async () => {
    vi.useFakeTimers();
    fetched.mockImplementation(
      (_, init) =>
        new Promise((_resolve, reject) =>
          init?.signal?.addEventListener("abort", () => reject(new Error("aborted"))),
        ),
    );
    const outcome = call("GET", "/api/x").catch((error: unknown) => error);
    await vi.advanceTimersByTimeAsync(TIMEOUT_MS);
    expect(await outcome).toMatchObject({ message: "网络异常，请稍后重试", code: 0 });
  });

  it("stops with the caller's own reason", async () => {
    const controller = new AbortController();
    fetched.mockImplementation(
      (_, init) =>
        new Promise((_resolve, reject) =>
          init?.signal?.addEventListener("abort", () => reject(init.signal?.reason)),
        ),
    );
    const outcome = call("GET", "/api/x", { signal: controller.signal }).catch(
      (error: unknown) => error,
    );
    controller.abort(new Error("left"));
    expect(await outcome).toEqual(new Error("left"));
  });
});
