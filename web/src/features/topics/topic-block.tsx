import "@/shared/ui/tiles/tile-strip.css";
import "./topics.css";
import type { Topic } from "@/shared/api/model.ts";
import { Cover } from "@/shared/covers/cover.tsx";
import { groupDigits } from "@/shared/format/count.ts";
import { Link } from "@/shared/navigation/navigation.tsx";
import { BlockHead } from "@/shared/ui/tiles/block-head.tsx";

/**
 * The operator's topics, side by side, represented by their covers; no video appears here itself.
 */
export function TopicBlock({ topics }: { readonly topics: readonly Topic[] }) {
  return (
    <section aria-label="专题">
      <BlockHead title="专题" />
      <div className="tile-strip">
        {topics.map((topic) => (
          <TopicCard key={topic.id} topic={topic} />
        ))}
      </div>
    </section>
  );
}

function TopicCard({ topic }: { readonly topic: Topic }) {
  return (
    <Link className="topic-card" to={`/topic?id=${topic.id}`}>
      <Cover picture={topic.cover} ratio="grid" className="has-shade">
        <span className="cover-end">{groupDigits(topic.videoCount)} 个视频</span>
      </Cover>
      <span className="tile-title">{topic.title}</span>
      {topic.intro && <span className="topic-intro">{topic.intro}</span>}
    </Link>
  );
}
