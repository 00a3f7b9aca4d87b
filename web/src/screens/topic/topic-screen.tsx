import "@/features/list/list.css";
import "@/features/topics/topics.css";
import { VideoResults } from "@/features/list/video-results.tsx";
import { listTopics, listTopicVideos } from "@/shared/api/topic-calls.ts";
import { groupDigits } from "@/shared/format/count.ts";
import { Link, useSearchParams } from "@/shared/navigation/navigation.tsx";
import { queryKeys } from "@/shared/server-state/query-keys.ts";
import { useQuery } from "@/shared/server-state/use-query.ts";
import { NavBar } from "@/shared/ui/nav-bar.tsx";
import { StatePanel } from "@/shared/ui/state-panel.tsx";
import { useTitle } from "@/shared/ui/use-title.ts";

/** `/topic?id=`: the videos of one of the operator's topics, in the operator's order. */
export function TopicScreen() {
  const [params] = useSearchParams();
  const id = Number(/^\d{1,9}$/.exec(params.get("id") ?? "")?.[0] ?? 0);
  const { data: topics } = useQuery({ key: queryKeys.topics, load: listTopics });
  const topic = topics?.find((entry) => entry.id === id);
  const title = topic?.title ?? "专题";
  useTitle(title);
  return (
    <>
      <NavBar title={title} />
      <div className="list-body">
        {topics && !topic ? (
          <NoTopic />
        ) : (
          <VideoResults
            key={id}
            load={(page, signal) => listTopicVideos(id, page, signal)}
            head={(total) => (
              <p className="topic-lead">
                {topic?.intro}
                <small>{total !== null && `共 ${groupDigits(total)} 个视频`}</small>
              </p>
            )}
            empty={<NoTopic />}
          />
        )}
      </div>
    </>
  );
}

/** There is no such topic, or none of its videos is shown. */
function NoTopic() {
  return (
    <StatePanel
      title="专题不存在或已下架"
      action={
        <Link className="button button-primary" to="/home">
          回到首页
        </Link>
      }
    />
  );
}
