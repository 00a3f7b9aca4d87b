import { expect, test } from "vitest";
import { dailyTimes } from "@/features/maintenance/daily.ts";

const CHINA = -480;

test("each full hour here has its minute of UTC", () => {
  const times = dailyTimes(1200, CHINA);
  expect(times).toHaveLength(24);
  expect(times[0]).toEqual({ minute: 960, name: "00:00" });
  expect(times[4]).toEqual({ minute: 1200, name: "04:00" });
  expect(times[8]).toEqual({ minute: 0, name: "08:00" });
  expect(dailyTimes(60, 60)[23]).toEqual({ minute: 0, name: "23:00" });
});

test("a time that is no full hour here is offered, too", () => {
  const times = dailyTimes(1170, CHINA);
  expect(times).toHaveLength(25);
  expect(times[4]).toEqual({ minute: 1170, name: "03:30" });
});
