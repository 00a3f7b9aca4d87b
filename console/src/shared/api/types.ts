import type { components } from "@/shared/api/schema.gen.ts";

type Schemas = components["schemas"];

export type Role = Schemas["Role"];
export type Me = Schemas["MeView"];
export type Session = Schemas["SessionView"];
export type Passkey = Schemas["PasskeyView"];
export type AuditEntry = Schemas["AuditView"];
export type AuditPage = Schemas["AuditPage"];
export type Overview = Schemas["OverviewView"];
export type Finding = Schemas["Finding"];
export type Job = Schemas["JobView"];
export type JobPage = Schemas["JobPage"];
export type Feedback = Schemas["FeedbackView"];
export type FeedbackPage = Schemas["FeedbackPage"];
export type FeedbackState = Feedback["state"];
export type ReportPage = Schemas["EntryPage"];
export type ReportDetail = Schemas["EntryDetail"];
export type ReportState = ReportDetail["entry"]["state"];
export type VideoRow = Schemas["VideoRow"];
export type VideoPage = Schemas["VideoPage"];
export type VideoDetail = Schemas["VideoDetail"];
export type VideoState = Schemas["VideoState"];
export type VideoChange = Partial<Schemas["VideoChange"]>;
export type VideoFilter = Partial<Schemas["VideoFilter"]>;
export type ManyChange = Partial<Schemas["ManyChange"]>;
export type Category = Schemas["CategoryName"];
