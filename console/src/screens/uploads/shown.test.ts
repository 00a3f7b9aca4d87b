import { expect, test } from "vitest";
import { type Transfer, transferOf } from "@/features/uploads/transfer.ts";
import { shownOf } from "@/screens/uploads/shown.ts";
import type { Upload } from "@/shared/api/types.ts";

const film = { file: new File(["x"], "a.mp4"), beside: [] };

function transfer(values: Partial<Transfer>): Transfer {
  return { ...transferOf(1, film, undefined), ...values };
}

test("a film that waits for the server is not called broken", () => {
  const shown = shownOf(undefined, transfer({ state: "held", fault: "登录已失效" }));
  expect(shown).toMatchObject({ state: "等待恢复", fault: "登录已失效", canResume: true });
});

test("what the server does not have of a film is said after its last byte, too", () => {
  const upload = {
    id: "f00d",
    name: "a.mp4",
    bytes: 1,
    is_film: true,
    state: "queued",
    fault: "",
    details: {},
    job: { state: "running", progress: 0.5, stage: "", seconds_left: null },
    video_id: 7,
  } as unknown as Upload;
  const given = transfer({ id: "f00d", state: "done", detailsFault: "没有存上" });
  expect(shownOf(upload, given)).toMatchObject({ fault: "没有存上", canDescribe: true });
  expect(shownOf(upload, transfer({ state: "done" }))).toMatchObject({
    fault: "",
    canDescribe: false,
  });
});
