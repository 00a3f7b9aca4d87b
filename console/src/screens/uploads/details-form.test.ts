import { expect, test } from "vitest";
import { FORM, type Form, valuesOf } from "@/screens/uploads/details-form.ts";

/** The first complaint about a form, with the field that it is shown at. */
function complaint(values: Partial<Form>): string {
  const [issue] = FORM.safeParse({ ...valuesOf({}), ...values }).error?.issues ?? [];
  return issue ? `${issue.path.join(".")} ${issue.message}` : "";
}

const many = Array.from({ length: 41 }, (_, place) => `第${place}`).join("、");

test.each([
  [{ labels: `海、${"长".repeat(41)}` }, "labels 每个标签最多 40 个字"],
  [{ labels: "长".repeat(40) }, ""],
  [{ artists: "长".repeat(81) }, "artists 每个艺人最多 80 个字"],
  [{ artists: "长".repeat(80) }, ""],
  [{ labels: many }, "labels 最多 40 个标签"],
  [{ artists: many }, "artists 最多 40 个艺人"],
  [{ title: "长".repeat(201) }, "title 最多 200 个字"],
])("what the server would refuse is refused at once: %#", (values, expected) => {
  expect(complaint(values)).toBe(expected);
});
