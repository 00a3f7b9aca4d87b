import { NavBar } from "@/shared/ui/nav-bar.tsx";
import { useTitle } from "@/shared/ui/use-title.ts";

/** Only the head so far. */
export function ListScreen() {
  useTitle("全部视频");
  return <NavBar title="全部视频" />;
}
