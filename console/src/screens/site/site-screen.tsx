import { ContentPage } from "@/features/content/content-page.tsx";
import { useContent } from "@/features/content/use-content.ts";
import { SiteEditor } from "@/screens/site/site-editor.tsx";
import type { SiteState } from "@/shared/api/types.ts";
import { Loaded } from "@/shared/ui/state.tsx";

/** What the site calls itself. */
export function SiteScreen() {
  const site = useContent<SiteState>("site");
  return (
    <ContentPage
      title="网站信息"
      lead="站名、标志和文案都是自己的；保存后访客下一次打开页面就看到，不用重启。"
    >
      <Loaded query={site}>{(data) => <SiteEditor opened={data} />}</Loaded>
    </ContentPage>
  );
}
