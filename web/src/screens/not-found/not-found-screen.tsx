import { Link } from "@/shared/navigation/navigation.tsx";
import { NavBar } from "@/shared/ui/nav-bar.tsx";
import { StatePanel } from "@/shared/ui/state-panel.tsx";
import { useTitle } from "@/shared/ui/use-title.ts";

/** An address that no screen has. */
export function NotFoundScreen() {
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
