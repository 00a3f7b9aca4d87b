import { Link } from "@tanstack/react-router";
import { useTitle } from "@/shared/ui/use-title.ts";

/** An address that leads nowhere. */
export function NotFound() {
  useTitle("没有这个页面");
  return (
    <div className="state">
      <h1 className="page-title">没有这个页面</h1>
      <Link to="/" className="button button-small">
        回到总览
      </Link>
    </div>
  );
}
