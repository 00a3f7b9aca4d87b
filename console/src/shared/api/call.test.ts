import { afterEach, expect, test, vi } from "vitest";
import { CallError, call } from "@/shared/api/call.ts";

afterEach(() => {
  vi.unstubAllGlobals();
});

function answering(status: number, body: string) {
  const fetched = vi.fn(async (_path: string, _options: RequestInit) => {
    return new Response(body, { status });
  });
  vi.stubGlobal("fetch", fetched);
  return fetched;
}

test("the payload is taken out of its envelope", async () => {
  answering(200, '{"code":200,"msg":"ok","rescont":[1]}');
  expect(await call<number[]>("/api/x")).toEqual([1]);
});

test("a refusal says what the server says", async () => {
  answering(422, '{"code":422,"msg":"名称不能是空白","rescont":[]}');
  await expect(call("/api/x", { method: "POST", body: {} })).rejects.toMatchObject({
    message: "名称不能是空白",
    status: 422,
  });
});

test("a refusal of a value says why", async () => {
  answering(
    422,
    '{"code":422,"msg":"请求参数有误","rescont":[{"field":"title","reason":"最多 40 个字"}]}',
  );
  await expect(call("/api/x", { method: "POST", body: {} })).rejects.toMatchObject({
    message: "请求参数有误：最多 40 个字",
    field: "title",
  });
});

test("an answer that is none of ours is a fault of the network", async () => {
  answering(502, "<html>");
  await expect(call("/api/x")).rejects.toBeInstanceOf(CallError);
});

test("what a page asks by itself says so", async () => {
  const fetched = answering(200, '{"code":200,"msg":"ok","rescont":null}');
  await call("/api/x", { isBackground: true });
  expect(fetched.mock.calls[0]?.[1].headers).toEqual({ "x-background": "1" });
});
