"use no memo"; // Rendered too rarely for memoization to be worth its bytes in the first bundle.

import "./category-blocks.css";
import { IconLayoutGrid } from "@tabler/icons-react";
import { type CSSProperties, memo } from "react";
import type { Category } from "@/shared/api/model.ts";
import { Cover } from "@/shared/covers/cover.tsx";
import { listAddress } from "@/shared/list-address.ts";
import { Link } from "@/shared/navigation/navigation.tsx";

/** Most categories shown; 全部 comes after them (specification §9). */
const SHOWN = 7;

// One hue per category, so that neighbours differ; the theme sets lightness and chroma.
const HUES = [230, 55, 330, 275, 150, 20, 95] as const;
const HUE_OF_ALL = 255;

/**
 * Up to seven categories and 全部. The server may send an entry with id 0; it is drawn once
 * (docs/product.md#r3).
 */
export const CategoryIcons = memo(function CategoryIcons({
  categories,
}: {
  readonly categories: readonly Category[];
}) {
  return (
    <nav className="category-icons" aria-label="分类">
      {categories
        .filter(({ id }) => id !== 0)
        .slice(0, SHOWN)
        .map((category, index) => (
          <Link
            key={category.id}
            className="category-icon"
            to={listAddress(category.id)}
            style={hue(HUES[index % HUES.length] ?? 0)}
          >
            {category.icon.url ? (
              <Cover picture={category.icon} ratio="fill" />
            ) : (
              <span className="cover category-letter" aria-hidden="true">
                {Array.from(category.name)[0]}
              </span>
            )}
            {category.name}
          </Link>
        ))}
      <Link className="category-icon" to={listAddress(0)} style={hue(HUE_OF_ALL)}>
        <span className="cover">
          <IconLayoutGrid stroke={1.9} aria-hidden="true" />
        </span>
        全部
      </Link>
    </nav>
  );
});

const hue = (value: number) => ({ "--hue": value }) as CSSProperties;
