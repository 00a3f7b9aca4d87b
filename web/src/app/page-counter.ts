import type { PageViewHandler } from "@/shared/analytics/page-views.ts";
import { reporterFor } from "@/shared/analytics/tools.ts";
import type { AnalyticsTool } from "@/shared/api/model.ts";
import { visitorId } from "@/shared/storage/identity.ts";

/** What tells the operator's analytics tool of page views, for a visit that begins now. */
export function pageCounter({ kind, ...tool }: AnalyticsTool): PageViewHandler {
  if (kind === "none") return () => {};
  const visit = { visitor: visitorId(), origin: window.location.origin, startedAt: Date.now() };
  return reporterFor({ ...tool, kind }, visit);
}
