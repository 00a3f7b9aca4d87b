import "@/app/shell.css";
import { Link, Outlet } from "@tanstack/react-router";
import { ENTRIES } from "@/app/navigation.ts";
import { includes, roleName, useMe } from "@/features/session/me.ts";
import emblem from "../../../web/public/favicon.svg";

/** The frame of all pages: a rail on a desk, a bar on a phone. */
export function Shell() {
  const me = useMe();
  const entries = ENTRIES.filter(({ role }) => me && includes(me.role, role));
  return (
    <div className="shell">
      <a className="skip" href="#main">
        跳到内容
      </a>
      <nav className="rail" aria-label="页面">
        <div className="rail-head">
          <img src={emblem} alt="" width={28} height={28} />
          <b>流影控制台</b>
        </div>
        <ul className="rail-entries">
          {entries.map(({ to, label, icon: Drawing }) => (
            <li key={to}>
              <Link to={to} className="rail-entry" activeOptions={{ exact: to === "/" }}>
                <Drawing size={22} stroke={1.75} aria-hidden="true" />
                <span>{label}</span>
              </Link>
            </li>
          ))}
        </ul>
        {me ? (
          <p className="rail-foot">
            {me.name}
            <span className="badge">{roleName(me.role)}</span>
          </p>
        ) : null}
      </nav>
      <main id="main" className="shell-main" tabIndex={-1}>
        <Outlet />
      </main>
    </div>
  );
}
