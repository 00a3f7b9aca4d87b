import { Link } from "@tanstack/react-router";
import { Alone } from "@/shared/ui/alone.tsx";
import { useTitle } from "@/shared/ui/use-title.ts";

/** An address that leads nowhere. */
export function NotFound() {
  useTitle("没有这个页面");
  return (
    <Alone>
      <h1 className="page-title">没有这个页面</h1>
      <p>地址可能抄错了，或页面已经不在了。</p>
      <Link to="/" className="button button-small">
        回到总览
      </Link>
    </Alone>
  );
}
