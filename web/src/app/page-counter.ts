import type { PageViewHandler } from "@/shared/analytics/page-views.ts";
import { reporterFor } from "@/shared/analytics/tools.ts";
import type { AnalyticsTool } from "@/shared/api/model.ts";
import { visitorId } from "@/shared/storage/identity.ts";

/** The function that reports page views of this visit to the operator's analytics tool. */
export function pageCounter({ kind, ...tool }: AnalyticsTool): PageViewHandler {
  if (kind === "none") return () => {};
  const visit = { visitor: visitorId(), origin: window.location.origin, startedAt: Date.now() };
  return reporterFor({ ...tool, kind }, visit);
}
