import { visitorCode } from "@/shared/storage/identity.ts";
import { call, callForAnswer } from "./client.ts";
import type { SendAnswer, SendBody, SendPath } from "./wire.ts";

/**
 * The header that identifies the visitor a call is about (docs/product.md#identity). Reads that are
 * the same for everybody omit it.
 */
export const asVisitor = (): Record<string, string> => ({ "X-Visitor-Code": visitorCode() });

/**
 * Send a POST or DELETE call of the contract in the visitor's name.
 *
 * @param path - Address as the OpenAPI document writes it.
 * @param body - Checked against the document.
 * @returns The envelope's `rescont`, in the wire's spelling.
 * @throws {@link ApiError}; see `call`.
 */
export async function send<M extends "post" | "delete", P extends SendPath<M>>(
  method: M,
  path: P,
  body: SendBody<M, P>,
  signal?: AbortSignal,
): Promise<SendAnswer<M, P>> {
  const name = method === "post" ? "POST" : "DELETE";
  return (await call(name, path, { body, headers: asVisitor(), signal })) as SendAnswer<M, P>;
}

/**
 * Like {@link send}, for a POST call. @returns The envelope's `msg`: the server's own sentence for
 * the visitor.
 */
export async function sendForMessage<P extends SendPath<"post">>(
  path: P,
  body: SendBody<"post", P>,
): Promise<string> {
  return (await callForAnswer("POST", path, { body, headers: asVisitor() })).msg;
}
