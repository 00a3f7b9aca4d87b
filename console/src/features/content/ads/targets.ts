const VIDEO = /^\/playVideo\?id=([0-9]+)$/;
const TOPIC = /^\/topic\?id=([0-9]+)$/;

export type TargetKind = "url" | "video" | "topic";

export interface Target {
  readonly kind: TargetKind;
  /** A number of a video or a topic, or the address. */
  readonly value: string;
}

/** What a link leads to. */
export function targetOf(url: string): Target {
  const video = VIDEO.exec(url)?.[1];
  if (video) return { kind: "video", value: video };
  const topic = TOPIC.exec(url)?.[1];
  return topic ? { kind: "topic", value: topic } : { kind: "url", value: url };
}

/** The link that leads there. */
export function linkTo({ kind, value }: Target): string {
  if (kind === "url" || value === "") return value;
  return kind === "video" ? `/playVideo?id=${value}` : `/topic?id=${value}`;
}
