import { expect, it } from "vitest";
import { groupedReceipt, LONGEST_REPORT, REASONS, reportProblem } from "./report-rules.ts";

it("wants an explanation of 其他 alone", () => {
  for (const reason of REASONS)
    expect(reportProblem(reason, " \n　")).toBe(reason === "其他" ? "请说明举报的原因" : null);
  expect(reportProblem("其他", "盗录")).toBeNull();
});

it("counts characters as the server does", () => {
  expect(reportProblem("侵犯版权", "😀".repeat(LONGEST_REPORT))).toBeNull();
  expect(reportProblem("侵犯版权", "字".repeat(LONGEST_REPORT + 1))).toBe("说明最多 500 个字符");
});

it("groups a receipt", () => expect(groupedReceipt("0123456789AB")).toBe("0123-4567-89AB"));
