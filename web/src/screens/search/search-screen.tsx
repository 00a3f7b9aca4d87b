import { NavBar } from "@/shared/ui/nav-bar.tsx";
import { useTitle } from "@/shared/ui/use-title.ts";

/** Only the head so far. */
export function SearchScreen() {
  useTitle("搜索");
  return <NavBar title="搜索" />;
}
