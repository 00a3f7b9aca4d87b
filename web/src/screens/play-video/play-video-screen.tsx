import { NavBar } from "@/shared/ui/nav-bar.tsx";
import { useTitle } from "@/shared/ui/use-title.ts";

/** Only the head so far. */
export function PlayVideoScreen() {
  useTitle("播放");
  return <NavBar title="播放" />;
}
