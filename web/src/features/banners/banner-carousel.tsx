"use no memo"; // Rendered too rarely for memoization to be worth its bytes in the first bundle.

import "./banners.css";
import { IconChevronLeft, IconChevronRight } from "@tabler/icons-react";
import type { Ad } from "@/shared/api/model.ts";
import { Cover } from "@/shared/covers/cover.tsx";
import { adLink, isInside } from "@/shared/ui/tiles/ad-tracking.ts";
import { useCarousel } from "./use-carousel.ts";

const MAX_DOTS = 8;

interface BannerCarouselProps {
  readonly banners: readonly Ad[];
  /** Called with the place of the slide that is shown. */
  readonly onShow: (index: number) => void;
}

/** Banners side by side, moved by the finger or automatically every 4000 ms (specification §9). */
export function BannerCarousel({ banners, onShow }: BannerCarouselProps) {
  const { strip, index, go, pauses } = useCarousel(banners.length, onShow);
  return (
    <section className="carousel" aria-label="轮播图" {...pauses}>
      <div className="carousel-strip" ref={strip}>
        {banners.map((banner, place) => (
          <Slide key={banner.id} banner={banner} isFirst={place === 0} isHidden={place !== index} />
        ))}
      </div>
      {banners.length > 1 && (
        <>
          <CarouselPlace banners={banners} index={index} />
          <button
            type="button"
            className="carousel-arrow is-back"
            aria-label="上一张"
            onClick={() => go(index - 1)}
          >
            <IconChevronLeft stroke={1.75} aria-hidden="true" />
          </button>
          <button
            type="button"
            className="carousel-arrow is-on"
            aria-label="下一张"
            onClick={() => go(index + 1)}
          >
            <IconChevronRight stroke={1.75} aria-hidden="true" />
          </button>
        </>
      )}
    </section>
  );
}

/** Dots, or a count where they would not fit. */
function CarouselPlace({
  banners,
  index,
}: {
  readonly banners: readonly Ad[];
  readonly index: number;
}) {
  if (banners.length > MAX_DOTS) {
    return (
      <span className="carousel-count" aria-hidden="true">
        {index + 1}/{banners.length}
      </span>
    );
  }
  return (
    <div className="carousel-dots" aria-hidden="true">
      {banners.map((banner, place) => (
        <i key={banner.id} className={place === index ? "is-active" : ""} />
      ))}
    </div>
  );
}

interface SlideProps {
  readonly banner: Ad;
  readonly isFirst: boolean;
  readonly isHidden: boolean;
}

function Slide({ banner, isFirst, isHidden }: SlideProps) {
  return (
    <a className="slide" tabIndex={isHidden ? -1 : 0} {...adLink(banner)}>
      <Cover
        picture={banner.image}
        ratio="fill"
        alt={banner.title ? "" : "广告"}
        isEager={isFirst}
        className="slide-picture"
      >
        {!isInside(banner.url) && <span className="cover-tag">广告</span>}
        <span className="slide-caption">
          {banner.title}
          {banner.text && <small>{banner.text}</small>}
        </span>
      </Cover>
    </a>
  );
}
