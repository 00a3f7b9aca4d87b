import "./mine.css";
import { IconBell, IconHeart, IconHistory, IconMessageDots } from "@tabler/icons-react";
import { useEffect, useState } from "react";
import { NoticeBar } from "@/features/notices/notice-bar.tsx";
import { NoticeOverlay } from "@/features/notices/notice-overlay.tsx";
import { isUnread, markRead, useNotices } from "@/features/notices/notices.ts";
import { openFeedback } from "@/shared/feedback-desk.ts";
import { historyDepth } from "@/shared/navigation/history.ts";
import { Link, useNavigate, useSearchParams } from "@/shared/navigation/navigation.tsx";
import { LAST_READ, UUID } from "@/shared/storage/entries.ts";
import { read } from "@/shared/storage/registry.ts";
import { useStored } from "@/shared/storage/use-stored.ts";
import { Emblem } from "@/shared/ui/emblem.tsx";
import { useTitle } from "@/shared/ui/use-title.ts";
import { Wordmark } from "@/shared/ui/wordmark.tsx";
import { BackupCells } from "./backup-cells.tsx";
import { CodeCard } from "./code-card.tsx";
import { Appearance, Links, UserAd } from "./mine-cells.tsx";
import { PartnerPerks } from "./partner-perks.tsx";
import { useFavouriteTotal } from "./use-favourite-total.ts";

const NOTICE_PANEL = "notice";

/** `/mine` (specification §2): the data code, shortcuts, notices, links, appearance. */
export function MineScreen() {
  const [params] = useSearchParams();
  const navigate = useNavigate();
  const { notices } = useNotices();
  // Notices unread on arrival stay marked until they are opened: arriving only clears the tab's
  // dot.
  const [readUntil, setReadUntil] = useState(() => read(LAST_READ));
  const { total, recount } = useFavouriteTotal(useStored(UUID));
  const isOpen = params.get("panel") === NOTICE_PANEL;
  useTitle("我的");
  useEffect(() => markRead(notices), [notices]);

  const open = () => navigate(`/mine?panel=${NOTICE_PANEL}`);
  const close = () => {
    setReadUntil(read(LAST_READ));
    if (historyDepth() > 0) navigate(-1);
    else navigate("/mine", { replace: true });
  };
  return (
    <div className="mine">
      <header className="mine-head">
        <h1 className="sr-only">我的</h1>
        <Emblem className="mine-emblem" />
        <Wordmark className="mine-wordmark" />
      </header>
      <div className="mine-body">
        <CodeCard />
        <nav className="mine-quick" aria-label="快捷入口">
          <Link to="/collectVideo?type=history">
            <IconHistory stroke={1.75} aria-hidden="true" />
            观看历史
          </Link>
          <Link to="/collectVideo?type=favorite">
            <IconHeart stroke={1.75} aria-hidden="true" />
            <span>
              我喜欢的
              {total !== null && <span className="mine-count">{total}</span>}
            </span>
          </Link>
          <button type="button" onClick={open}>
            <IconBell stroke={1.75} aria-hidden="true" />
            公告
            {isUnread(notices, readUntil) && (
              <span className="mine-dot" role="img" aria-label="有新公告" />
            )}
          </button>
          <button type="button" onClick={() => openFeedback(null)}>
            <IconMessageDots stroke={1.75} aria-hidden="true" />
            意见反馈
          </button>
        </nav>
        <NoticeBar notices={notices} onOpen={open} />
        <PartnerPerks />
        <Links />
        <UserAd />
        <BackupCells onImported={recount} />
        <Appearance />
      </div>
      {isOpen && <NoticeOverlay readUntil={readUntil} onClose={close} />}
    </div>
  );
}
