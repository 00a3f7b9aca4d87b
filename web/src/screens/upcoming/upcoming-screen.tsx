import { TEXT } from "@/shared/messages/texts.ts";
import { Link } from "@/shared/navigation/navigation.tsx";
import { StatePanel } from "@/shared/ui/state-panel.tsx";
import { useTitle } from "@/shared/ui/use-title.ts";

/** A screen of the route table whose content does not exist yet. */
export function UpcomingScreen() {
  useTitle("");
  return (
    <StatePanel
      title={TEXT.comingSoon}
      action={
        <Link className="button" to="/list?typeId=0&orderby=new">
          看看全部视频
        </Link>
      }
    />
  );
}
