import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { includes, useMe } from "@/features/session/me.ts";
import { CallError, type CallOptions, call } from "@/shared/api/call.ts";

interface Change {
  readonly method: NonNullable<CallOptions["method"]>;
  readonly path: string;
  readonly body?: unknown;
}

/** What a content page shows: the answer of `/api/…`. */
export function useContent<T>(path: string) {
  return useQuery({
    queryKey: ["content", path],
    queryFn: ({ signal }) => call<T>(`/api/${path}`, { signal }),
  });
}

/** Changes content; whatever is shown of any is read again. */
export function useContentChange<T = unknown>(onDone?: (answer: T) => void) {
  const client = useQueryClient();
  return useMutation({
    mutationFn: ({ path, method, body }: Change) =>
      call<T>(`/api/${path}`, body === undefined ? { method } : { method, body }),
    onSuccess: async (answer) => {
      await client.invalidateQueries({ queryKey: ["content"] });
      onDone?.(answer);
    },
    onError: async (error) => {
      // Somebody else was faster: what he wrote is shown when the form is opened again.
      if (error instanceof CallError && [404, 409].includes(error.status))
        await client.invalidateQueries({ queryKey: ["content"] });
    },
  });
}

/** Whether this session may change content. */
export function useMayEdit(): boolean {
  const me = useMe();
  return me !== undefined && includes(me.role, "editor");
}

/** What the server says of one field. */
export function saidOf(error: Error | null, field: string): string | undefined {
  return error instanceof CallError && error.field === field ? error.message : undefined;
}

/** What the server says of none of the fields that a form shows. */
export function saidOfNone(error: Error | null, fields: readonly string[]): string | undefined {
  if (!error) return undefined;
  return error instanceof CallError && fields.includes(error.field) ? undefined : error.message;
}
