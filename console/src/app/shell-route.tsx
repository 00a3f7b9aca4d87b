import type { QueryClient } from "@tanstack/react-query";
import { createRootRouteWithContext, createRoute, Outlet, redirect } from "@tanstack/react-router";
import { NotFound } from "@/app/not-found.tsx";
import { Shell } from "@/app/shell.tsx";
import { ME } from "@/features/session/me.ts";
import { CallError } from "@/shared/api/call.ts";

export const root = createRootRouteWithContext<{ client: QueryClient }>()({
  component: Outlet,
  notFoundComponent: NotFound,
});

/** Whatever needs a session. */
export const shell = createRoute({
  getParentRoute: () => root,
  id: "shell",
  component: Shell,
  beforeLoad: async ({ context }) => {
    try {
      await context.client.ensureQueryData(ME);
    } catch (error) {
      // A server that cannot be reached is said by the page itself.
      if (error instanceof CallError && error.status === 401) throw redirect({ to: "/login" });
    }
  },
});
