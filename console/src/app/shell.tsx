import { Badge } from "@/shared/ui/badge.tsx";
import "@/app/shell.css";
import { IconDots } from "@tabler/icons-react";
import { Link, Outlet, useLocation } from "@tanstack/react-router";
import { type Entry } from "@/features/session/entries.ts";
import { roleName, useMe } from "@/features/session/me.ts";
import { useEntries } from "@/features/session/use-entries.ts";
import emblem from "../../../web/public/favicon.svg";

const MORE: Entry = { to: "/more", label: "更多", icon: IconDots, role: "viewer" };

/** The frame of all pages: a rail on a desk, a bar on a phone. */
export function Shell() {
  const me = useMe();
  const { first, rest } = useEntries();
  const path = useLocation({ select: ({ pathname }) => pathname });
  const isOfRest = rest.some(({ to }) => path === to || path.startsWith(`${to}/`));
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
          {first.map((entry) => (
            <li key={entry.to}>
              <RailEntry entry={entry} />
            </li>
          ))}
          {rest.map((entry) => (
            <li key={entry.to} className="desk-only">
              <RailEntry entry={entry} />
            </li>
          ))}
          {rest.length > 0 ? (
            <li className="phone-only">
              <RailEntry entry={MORE} isCurrent={isOfRest} />
            </li>
          ) : null}
        </ul>
        {me ? (
          <p className="rail-foot">
            {me.name}
            <Badge>{roleName(me.role)}</Badge>
          </p>
        ) : null}
      </nav>
      <main id="main" className="shell-main" tabIndex={-1}>
        <Outlet />
      </main>
    </div>
  );
}

function RailEntry({
  entry: { to, label, icon: Drawing },
  isCurrent = false,
}: {
  readonly entry: Entry;
  /** Whether the page shown is one of those that this entry leads to. */
  readonly isCurrent?: boolean;
}) {
  return (
    <Link
      to={to}
      className="rail-entry"
      activeOptions={{ exact: to === "/" }}
      data-current={isCurrent}
    >
      <Drawing size={22} stroke={1.75} aria-hidden="true" />
      <span>{label}</span>
    </Link>
  );
}
