import { ContentLinks } from "@/features/content/content-links.tsx";
import { useTitle } from "@/shared/ui/use-title.ts";

/** Leads to the pages about content. */
export function ContentScreen() {
  useTitle("内容");
  return (
    <div className="page">
      <header className="page-head">
        <h1 className="page-title">内容</h1>
      </header>
      <p className="page-lead">访客除视频以外看到的一切。改动马上生效，都记在操作记录里。</p>
      <ContentLinks />
    </div>
  );
}
