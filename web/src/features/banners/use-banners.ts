"use no memo"; // Rendered too rarely for memoization to be worth its bytes in the first bundle.

import { useState } from "react";
import { listBanners } from "@/shared/api/calls.ts";
import type { Ad, BannerTag } from "@/shared/api/model.ts";
import { queryKeys } from "@/shared/server-state/query-keys.ts";
import { useQuery } from "@/shared/server-state/use-query.ts";
import { BANNER_TYPE } from "@/shared/storage/entries.ts";
import { write } from "@/shared/storage/registry.ts";
import { useStored } from "@/shared/storage/use-stored.ts";

interface Banners {
  readonly activeId: number;
  readonly banners: readonly Ad[];
  readonly select: (id: number) => void;
}

/**
 * The banners of the chosen tag. Choosing a tag stores its id and loads its banners (specification
 * §4). Until then the first tag counts as chosen, and home has brought its banners along.
 */
export function useBanners(tags: readonly BannerTag[], first: readonly Ad[]): Banners {
  const stored = useStored(BANNER_TYPE);
  const firstId = tags[0]?.id ?? 0;
  const activeId = tags.some((tag) => tag.id === stored) ? stored : firstId;
  const isFirst = activeId === firstId;
  const { data, isError } = useQuery(
    { key: queryKeys.banners(activeId), load: () => listBanners(activeId) },
    { isEnabled: !isFirst },
  );
  const loaded = isFirst ? first : data;
  // The previous banners stay until the chosen ones arrive.
  const [last, setLast] = useState(first);
  if (loaded && loaded !== last) setLast(loaded);
  return {
    activeId,
    banners: loaded ?? (isError ? [] : last),
    select: (id) => write(BANNER_TYPE, id),
  };
}
