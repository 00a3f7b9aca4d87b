import "./banners.css";
import { IconChevronLeft, IconChevronRight } from "@tabler/icons-react";
import type { Ad } from "@/shared/api/model.ts";
import { Cover } from "@/shared/covers/cover.tsx";
import { trackAd } from "@/shared/ui/tiles/ad-tracking.ts";
import { useCarousel } from "./use-carousel.ts";

interface BannerCarouselProps {
  readonly banners: readonly Ad[];
  /** Called with the place of the slide that is shown. */
  readonly onShow: (index: number) => void;
}

/** Banners side by side, moved by the finger or by themselves every 4000 ms (specification §9). */
export function BannerCarousel({ banners, onShow }: BannerCarouselProps) {
  const { strip, index, go, pauses } = useCarousel(banners.length, onShow);
  return (
    <section className="carousel" aria-label="横幅" {...pauses}>
      <div className="carousel-strip" ref={strip}>
        {banners.map((banner, place) => (
          <Slide key={banner.id} banner={banner} isFirst={place === 0} isHidden={place !== index} />
        ))}
      </div>
      {banners.length > 1 && (
        <>
          <div className="carousel-dots" aria-hidden="true">
            {banners.map((banner, place) => (
              <i key={banner.id} className={place === index ? "is-active" : ""} />
            ))}
          </div>
          <button type="button" className="carousel-arrow is-back" aria-label="上一张" onClick={() => go(index - 1)}>
            <IconChevronLeft stroke={1.75} aria-hidden="true" />
          </button>
          <button type="button" className="carousel-arrow is-on" aria-label="下一张" onClick={() => go(index + 1)}>
            <IconChevronRight stroke={1.75} aria-hidden="true" />
          </button>
        </>
      )}
    </section>
  );
}

interface SlideProps {
  readonly banner: Ad;
  readonly isFirst: boolean;
  readonly isHidden: boolean;
}

function Slide({ banner, isFirst, isHidden }: SlideProps) {
  return (
    <a
      className="slide"
      href={banner.url || undefined}
      target="_blank"
      rel="sponsored noopener noreferrer"
      tabIndex={isHidden ? -1 : 0}
      onClick={() => trackAd(banner.url)}
    >
      <Cover
        picture={banner.image}
        ratio="fill"
        alt={banner.title ? "" : "广告"}
        isEager={isFirst}
        className="slide-picture"
      >
        <span className="cover-tag">广告</span>
        <span className="slide-caption">
          {banner.title}
          {banner.text && <small>{banner.text}</small>}
        </span>
      </Cover>
    </a>
  );
}
