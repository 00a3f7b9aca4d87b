import { historyDepth } from "@/shared/navigation/history.ts";
import { useNavigate } from "@/shared/navigation/navigation.tsx";

/** Back to where the visitor came from; home if the page was opened by its address. */
export function useGoBack(): () => void {
  const navigate = useNavigate();
  return () => (historyDepth() > 0 ? navigate(-1) : navigate("/home", { replace: true }));
}
