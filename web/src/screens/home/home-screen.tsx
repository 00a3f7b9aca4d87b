import { TEXT } from "@/shared/messages/texts.ts";
import { useTitle } from "@/shared/ui/use-title.ts";

/** Home (specification §2). */
export function HomeScreen() {
  useTitle("");
  return <h1>{TEXT.site}</h1>;
}
