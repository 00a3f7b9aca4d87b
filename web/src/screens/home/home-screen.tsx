"use no memo"; // What a new banner would render again are components of `memo`, in fewer bytes.

import "./home.css";
import { Suspense, useDeferredValue, useState } from "react";
import { AmbientLight } from "@/features/banners/ambient-light.tsx";
import { BannerCarousel } from "@/features/banners/banner-carousel.tsx";
import { BannerTags } from "@/features/banners/banner-tags.tsx";
import { useBanners } from "@/features/banners/use-banners.ts";
import { CategoryBlock } from "@/features/category-blocks/category-block.tsx";
import { CategoryIcons } from "@/features/category-blocks/category-icons.tsx";
import { Recommendations } from "@/features/recommendations/recommendations.tsx";
import type { Home } from "@/shared/api/model.ts";
import { useConfig, useIsReady } from "@/shared/config/config.ts";
import { siteIdentity } from "@/shared/config/site.ts";
import { NearViewportBox } from "@/shared/covers/near-viewport-box.tsx";
import { CORE_TEXT } from "@/shared/messages/core-texts.ts";
import { optionalPart } from "@/shared/ui/optional-part.ts";
import { StatePanel } from "@/shared/ui/state-panel.tsx";
import { useTitle } from "@/shared/ui/use-title.ts";
import { HomeHeader } from "./home-header.tsx";
import { HomeSkeleton } from "./home-skeleton.tsx";
import { useHome } from "./use-home.ts";

const TopicBlock = optionalPart(
  async () => (await import("@/features/topics/topic-block.tsx")).TopicBlock,
);
const UnlockBlock = optionalPart(
  async () => (await import("@/features/share-unlock/unlock-block.tsx")).UnlockBlock,
);

/**
 * Home (specification §2): banners, categories, recommendations, a block for each category, videos
 * to unlock.
 */
export function HomeScreen() {
  useTitle("");
  // Rendered in slices: otherwise React would render everything after hydration in one long task.
  const isReady = useDeferredValue(useIsReady());
  const { data, isError, refetch } = useHome();
  if (data && isReady) return <HomeContent home={data} />;
  return (
    <div className="home">
      <HomeHeader />
      <h1 className="sr-only">{siteIdentity().name}</h1>
      {isError ? <HomeFailed onRetry={() => void refetch()} /> : <HomeSkeleton />}
    </div>
  );
}

function HomeContent({ home }: { readonly home: Home }) {
  const { isShowAd } = useConfig();
  const { activeId, banners, select } = useBanners(home.bannerTags, home.banners);
  const [slide, setSlide] = useState(0);
  // The blocks below the first screen are rendered later, in slices that let taps through.
  const blocks = useDeferredValue(home.blocks, home.blocks.slice(0, 1));
  const hasBanners = isShowAd && banners.length > 0;
  const lit = hasBanners ? banners[slide]?.image : home.recommendation.videos[0]?.cover;
  return (
    <div className="home">
      <AmbientLight thumb={lit?.thumb ?? null} />
      <HomeHeader />
      <h1 className="sr-only">{siteIdentity().name}</h1>
      <div className={`home-top ${hasBanners ? "" : "is-without-banners"}`}>
        {isShowAd && home.bannerTags.length > 0 && (
          <BannerTags tags={home.bannerTags} activeId={activeId} onSelect={select} />
        )}
        {hasBanners && <BannerCarousel key={activeId} banners={banners} onShow={setSlide} />}
        <CategoryIcons categories={home.categories} />
        {home.recommendation.videos.length > 0 && <Recommendations first={home.recommendation} />}
      </div>
      {home.topics.length > 0 && (
        <div className="home-topics">
          <Suspense>
            <TopicBlock topics={home.topics} />
          </Suspense>
        </div>
      )}
      {blocks.map((block) => (
        <CategoryBlock key={block.id} block={block} isShowAd={isShowAd} />
      ))}
      <NearViewportBox>
        <Suspense>
          <UnlockBlock />
        </Suspense>
      </NearViewportBox>
      <footer className="home-foot">{siteIdentity().footer}</footer>
    </div>
  );
}

function HomeFailed({ onRetry }: { readonly onRetry: () => void }) {
  return (
    <StatePanel
      title={CORE_TEXT.networkError}
      action={
        <button type="button" className="button" onClick={onRetry}>
          {CORE_TEXT.listFailed}
        </button>
      }
    />
  );
}
