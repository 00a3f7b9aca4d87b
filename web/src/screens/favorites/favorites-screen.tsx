import { Link } from "@/shared/navigation/navigation.tsx";
import { StatePanel } from "@/shared/ui/state-panel.tsx";
import { TabHead } from "@/shared/ui/tab-head.tsx";
import { useTitle } from "@/shared/ui/use-title.ts";

/** `/favorites`, 看看 (specification §2): what other visitors keep. Nobody has kept anything yet. */
export function FavoritesScreen() {
  useTitle("看看");
  return (
    <>
      <TabHead title="看看" />
      <StatePanel
        title="暂无收藏用户"
        text="有人收藏了视频，就会出现在这里。"
        action={
          <Link className="button button-primary" to="/home">
            去首页看看
          </Link>
        }
      />
    </>
  );
}
