import { describe, expect, it } from "vitest";
import { markedParts } from "./marked-text.ts";

const shown = (text: string, term: string) =>
  markedParts(text, term)
    .map((part) => (part.isMarked ? `[${part.text}]` : part.text))
    .join("");

describe("markedParts", () => {
  it("marks every place of every word", () => expect(shown("海边的海", "海")).toBe("[海]边的[海]"));
  it("joins neighbours", () => expect(shown("海边夜景", "海边 夜")).toBe("[海边夜]景"));
  it("knows no case and no width", () =>
    expect(shown("４Ｋ Vlog", "4k VLOG")).toBe("[４Ｋ] [Vlog]"));
  it("marks a sign that folds to several", () =>
    expect(shown("第①集㎞", "1集k")).toBe("第[①集㎞]"));
  it("keeps emoji whole", () => expect(shown("😀海😀", "😀")).toBe("[😀]海[😀]"));
  it("marks nothing where nothing matches", () => expect(shown("海边", "山")).toBe("海边"));
  it("marks nothing for blanks", () => expect(shown("海 边", "  ")).toBe("海 边"));
  it("takes no sign for an operator", () => expect(shown("a.b(c", ".")).toBe("a[.]b(c"));
});
