// @vitest-environment happy-dom
import { expect, it, vi } from "vitest";
import type { PlayerParts } from "./player-parts.ts";
import { actionOfKey, ownsKey } from "./use-keyboard.ts";

function player() {
  const session = {
    state: { time: 30, muted: false },
    toggle: vi.fn(),
    seek: vi.fn(),
    changeVolume: vi.fn(),
    setMuted: vi.fn(),
  };
  const fullScreen = { toggle: vi.fn(() => Promise.resolve()) };
  return { session, fullScreen, parts: { session, fullScreen } as unknown as PlayerParts };
}

it("maps the player's keys", () => {
  const { session, fullScreen, parts } = player();
  for (const key of [" ", "ArrowLeft", "ArrowRight", "ArrowUp", "ArrowDown", "f", "m"])
    actionOfKey(key, parts)?.();
  expect(session.toggle).toHaveBeenCalledOnce();
  expect(session.seek.mock.calls).toEqual([[20], [40]]);
  expect(session.changeVolume.mock.calls).toEqual([[0.1], [-0.1]]);
  expect(fullScreen.toggle).toHaveBeenCalledOnce();
  expect(session.setMuted).toHaveBeenCalledWith(true);
});

it("leaves every other key to the browser", () => {
  const { parts } = player();
  for (const key of ["Tab", "Enter", "a", "PageDown"]) expect(actionOfKey(key, parts)).toBeNull();
});

it("leaves keys to an open dialog, not to one that was closed", () => {
  const dialog = document.createElement("dialog");
  const focused = dialog.appendChild(document.createElement("div"));
  dialog.setAttribute("open", "");
  expect(ownsKey({ target: focused, key: "f" })).toBe(true);
  dialog.removeAttribute("open");
  expect(ownsKey({ target: focused, key: "f" })).toBe(false);
});
