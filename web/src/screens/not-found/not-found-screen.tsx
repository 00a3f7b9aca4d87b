import { RemovalList } from "@/features/removals/removal-list.tsx";
import { useConfig } from "@/shared/config/config.ts";
import { Link, useLocation } from "@/shared/navigation/navigation.tsx";
import { NavBar } from "@/shared/ui/nav-bar.tsx";
import { StatePanel } from "@/shared/ui/state-panel.tsx";
import { useTitle } from "@/shared/ui/use-title.ts";

/**
 * An address that no screen has. The page of what was removed is such an address, unless the
 * operator shows it.
 */
export function NotFoundScreen() {
  const { pathname } = useLocation();
  const { hasRemovals } = useConfig();
  return hasRemovals && pathname === "/removals" ? <Removals /> : <Missing />;
}

function Removals() {
  useTitle("下架公示");
  return (
    <>
      <NavBar title="下架公示" />
      <RemovalList />
    </>
  );
}

function Missing() {
  useTitle("找不到页面");
  return (
    <>
      <NavBar title="找不到页面" />
      <StatePanel
        title="这里什么也没有"
        text="链接可能写错了，或者页面已经搬走。"
        action={
          <Link className="button button-primary" to="/home">
            回到首页
          </Link>
        }
      />
    </>
  );
}
