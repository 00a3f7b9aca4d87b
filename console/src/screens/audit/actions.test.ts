import { expect, test } from "vitest";
import { actionName } from "@/screens/audit/actions.ts";

test("actions are said in Chinese, and unknown ones as they are", () => {
  expect(actionName("video.takedown")).toBe("永久下架视频");
  expect(actionName("video.unhide")).toBe("取消隐藏视频");
  expect(actionName("category.add")).toBe("添加分类");
  expect(actionName("ad.something")).toBe("ad.something");
});
