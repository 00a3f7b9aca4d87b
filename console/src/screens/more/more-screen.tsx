import { IconChevronRight } from "@tabler/icons-react";
import { Link } from "@tanstack/react-router";
import { ContentLinks } from "@/features/content/content-links.tsx";
import { useEntries } from "@/features/session/use-entries.ts";
import { useTitle } from "@/shared/ui/use-title.ts";

/** On a phone: the pages that its bar has no room for. */
export function MoreScreen() {
  useTitle("更多");
  const { rest } = useEntries();
  return (
    <div className="page">
      <header className="page-head">
        <h1 className="page-title">更多</h1>
      </header>
      <nav className="card" aria-label="更多页面">
        <ul className="rows more-links">
          {rest
            .filter(({ to }) => to !== "/content")
            .map(({ to, label, icon: Drawing }) => (
              <li key={to}>
                <Link to={to} className="more-link">
                  <Drawing size={22} stroke={1.75} aria-hidden="true" />
                  <span className="row-text">{label}</span>
                  <IconChevronRight size={20} stroke={1.75} aria-hidden="true" />
                </Link>
              </li>
            ))}
        </ul>
      </nav>
      <h2 className="card-title">内容</h2>
      <ContentLinks />
    </div>
  );
}
