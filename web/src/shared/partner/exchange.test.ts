// @vitest-environment happy-dom
import { beforeEach, expect, it } from "vitest";
import { useClientStore } from "@/shared/store/client-store.ts";
import { arrival, holdCode } from "./departure.ts";
import { exchange, needsSession } from "./exchange.ts";

beforeEach(() => {
  Object.assign(arrival, { code: null, wasAsked: false });
  exchange.setState({ phase: "idle" });
  useClientStore.setState({ token: "" });
});

it("wants a session where there is none, and where it has ended", () => {
  expect(needsSession("")).toBe(true);
  useClientStore.setState({ token: "token" });
  expect(needsSession("")).toBe(false);
  expect(needsSession("?logout=logout&msg=x")).toBe(true);
});

it("wants none while a code waits or is exchanged, or the network failed", () => {
  arrival.code = "a.b.c";
  expect(needsSession("")).toBe(false);
  arrival.code = null;
  for (const phase of ["running", "failed"] as const) {
    exchange.setState({ phase });
    expect(needsSession("?logout=logout")).toBe(false);
  }
});

it("asks once after a refusal, not for ever", () => {
  exchange.setState({ phase: "refused" });
  expect(needsSession("")).toBe(true);
  window.history.replaceState(null, "", "/vendor?code=a.b.c&asked=1");
  holdCode();
  expect(window.location.search).toBe("");
  arrival.code = null;
  expect(needsSession("")).toBe(false);
});
