import "@/features/content/content.css";
import { Link } from "@tanstack/react-router";
import { CONTENT_PAGES } from "@/features/content/pages.ts";
import { includes, useMe } from "@/features/session/me.ts";

/** The pages about content that this session may open. */
export function ContentLinks() {
  const me = useMe();
  const mine = CONTENT_PAGES.filter(({ role }) => me && includes(me.role, role));
  return (
    <nav className="card" aria-label="内容页面">
      <ul className="content-links">
        {mine.map(({ to, label, about, icon: Drawing }) => (
          <li key={to} className="content-link">
            <Drawing size={22} stroke={1.75} aria-hidden="true" />
            <div className="row-text">
              <Link to={to} className="row-title">
                {label}
              </Link>
              <p className="row-meta">{about}</p>
            </div>
          </li>
        ))}
      </ul>
    </nav>
  );
}
