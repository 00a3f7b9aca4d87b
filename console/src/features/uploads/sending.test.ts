import { DetailedError, type HttpRequest, type HttpResponse } from "tus-js-client";
import { expect, test, vi } from "vitest";
import { faultOf, type SendingOptions, sending } from "@/features/uploads/sending.ts";

const REQUEST = {
  getHeader: () => undefined,
  getMethod: () => "PATCH",
  getURL: () => "",
} as unknown as HttpRequest;

/** What tus-js-client throws where a request was answered so; 0 for not at all. */
function answered(status: number, body = ""): DetailedError {
  const response = { getStatus: () => status, getBody: () => body } as unknown as HttpResponse;
  // The library's types hide its constructor's arguments.
  const Thrown = DetailedError as unknown as new (...given: unknown[]) => DetailedError;
  return new Thrown("tus", null, REQUEST, status === 0 ? null : response);
}

function options(values: Partial<SendingOptions> = {}): SendingOptions {
  return {
    file: new File(["x"], "a.mp4"),
    beside: [],
    id: "",
    isHidden: () => false,
    onId: vi.fn(),
    onSent: vi.fn(),
    onDone: vi.fn(),
    onFault: vi.fn(),
    ...values,
  };
}

test.each([
  [401, "", "login", "登录已失效，重新登录后会自动继续"],
  [0, "", "away", "连不上服务器，请检查网络或隧道。恢复后会自动继续"],
  [502, "<html>", "away", "连不上服务器，请检查网络或隧道。恢复后会自动继续"],
  [503, '{"msg":"服务器忙"}', "away", "服务器忙。恢复后会自动继续"],
  [404, "", "lost", "这个上传已不在服务器上"],
  [422, '{"msg":"不能上传 .exe 文件"}', "own", "不能上传 .exe 文件"],
  [500, "<html>", "own", "服务器没有说明原因（500）"],
])("what %i means for a file, and what is said of it", (status, body, reason, message) => {
  expect(faultOf(answered(status, body))).toMatchObject({ reason, message });
});

test("whether a film is hidden is what was typed when the server is asked", () => {
  let isHidden = false;
  const { metadata } = sending(options({ isHidden: () => isHidden })).options;
  expect(metadata?.hidden).toBe("");
  isHidden = true;
  expect(metadata?.hidden).toBe("1");
});

test("an upload that the server has is never begun a second time", () => {
  expect(sending(options({ id: "f00d" })).options).not.toMatchObject({ endpoint: "/api/uploads" });
  const begun = sending(options());
  expect(begun.options.endpoint).toBe("/api/uploads");
  begun.options.onUploadUrlAvailable?.();
  expect(begun.options.endpoint).toBeNull();
});

test("a file that cannot be read any more is no fault of the network", async () => {
  const file = new File(["x"], "a.mp4");
  const onFault = vi.fn();
  const upload = sending(options({ file, onFault }));
  await upload.options.onError?.(answered(0));
  expect(onFault).toHaveBeenLastCalledWith(expect.objectContaining({ reason: "away" }));
  vi.spyOn(file, "slice").mockImplementation(() => {
    throw new DOMException("changed", "NotReadableError");
  });
  await upload.options.onError?.(answered(0));
  expect(onFault).toHaveBeenLastCalledWith(expect.objectContaining({ reason: "own" }));
});
