import type { components, paths } from "./schema.gen.ts";

/**
 * Types on the wire (specification §3), from the server's OpenAPI document. The wire's spellings
 * (`coverbase64`, `labls`, `serach`) stop in this folder: everything else uses the domain types of
 * `model.ts`.
 */
type Schemas = components["schemas"];

export type WirePicture = Pick<Schemas["EncryptedImage"], "url"> &
  Partial<Schemas["EncryptedImage"]>;
export type WireVideo = Omit<Schemas["VideoItem"], "coverbase64" | "kind" | "is_ad"> & {
  readonly coverbase64: WirePicture;
  readonly is_ad?: false;
};
export type WireAd = Schemas["AdView"];
export type WireCategory = Schemas["CategoryView"];
export type WireBlock = Schemas["HomeBlock"];
export type WireRecommendation = Schemas["Recommendation"];
export type WireTab = Schemas["TabEntry"];
export type WireAppLink = Schemas["AppLinkView"];
export type WireTopic = Schemas["TopicView"];
export type WireNotice = Schemas["NoticeView"];
export type WireConfig = Schemas["RuntimeConfig"];

/** One page of a list. */
export type WirePage<T> = Omit<Schemas["Page_VideoItem"], "data"> & { readonly data: readonly T[] };

/** Home's first answers, each the `rescont` of the call it is named after. */
export interface WireHome {
  readonly categories: readonly WireCategory[];
  readonly banner_tags: readonly Schemas["BannerTagView"][];
  readonly banners: readonly WireAd[];
  readonly recommendation: WireRecommendation;
  readonly blocks: readonly WireBlock[];
  readonly topics: readonly WireTopic[];
}

/** What the server writes into the page. */
export interface WireBoot {
  readonly config: WireConfig;
  readonly home: WireHome | null;
  /** `rescont` of what the screen asks for first, by path and query. */
  readonly answers: Readonly<Record<string, unknown>>;
  readonly pictures: readonly WirePicture[];
}

interface Answered {
  readonly get: {
    readonly parameters: { readonly query?: unknown; readonly path?: unknown };
    readonly responses: {
      readonly 200: { content: { readonly "application/json": { readonly rescont: unknown } } };
    };
  };
}

/** Addresses that answer GET with an envelope. */
export type GetPath = { [P in keyof paths]: paths[P] extends Answered ? P : never }[keyof paths];

type Get<P extends GetPath> = paths[P] extends Answered ? paths[P]["get"] : never;

/** The `rescont` of a GET call. */
export type GetAnswer<P extends GetPath> =
  Get<P>["responses"][200]["content"]["application/json"]["rescont"];

/** What a GET call may say in its query and must say in its path. */
export type GetParameters<P extends GetPath> = Pick<Get<P>["parameters"], "query" | "path">;

type Method = "post" | "delete";

interface Sent {
  readonly requestBody: { readonly content: { readonly "application/json": unknown } };
  readonly responses: {
    readonly 200: { content: { readonly "application/json": { readonly rescont: unknown } } };
  };
}

/** Addresses that take a JSON body by a method and answer with an envelope. */
export type SendPath<M extends Method> = {
  [P in keyof paths]: paths[P] extends Readonly<Record<M, Sent>> ? P : never;
}[keyof paths];

type Sending<M extends Method, P extends SendPath<M>> =
  paths[P] extends Readonly<Record<M, Sent>> ? paths[P][M] : never;

/** The body of a call. */
export type SendBody<M extends Method, P extends SendPath<M>> = Sending<
  M,
  P
>["requestBody"]["content"]["application/json"];

/** The `rescont` of a call. */
export type SendAnswer<M extends Method, P extends SendPath<M>> = Sending<
  M,
  P
>["responses"][200]["content"]["application/json"]["rescont"];
