import { TabHead } from "@/shared/ui/tab-head.tsx";
import { useTitle } from "@/shared/ui/use-title.ts";
import { RankList } from "./rank-list.tsx";

/** `/rank` (specification §2). */
export function RankScreen() {
  useTitle("排行榜");
  return (
    <>
      <TabHead title="排行榜" />
      <RankList />
    </>
  );
}
