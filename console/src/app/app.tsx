import { QueryClient, QueryClientProvider } from "@tanstack/react-query";
import { RouterProvider } from "@tanstack/react-router";
import { createConsoleRouter } from "@/app/routes.tsx";
import { ME } from "@/features/session/me.ts";
import { CallError } from "@/shared/api/call.ts";

const RETRIES = 2;

const client = new QueryClient({
  defaultOptions: {
    queries: {
      // What was refused is refused again; only a lost network is worth a second try.
      retry: (count, error) => error instanceof CallError && error.status === 0 && count < RETRIES,
    },
  },
});
const router = createConsoleRouter(client);

client.getQueryCache().subscribe((event) => {
  const { error } = event.query.state;
  if (event.type !== "updated" || !(error instanceof CallError) || error.status !== 401) return;
  // These two say themselves why nobody is logged in.
  if (["/login", "/enter"].includes(router.state.location.pathname)) return;
  client.removeQueries({ queryKey: ME.queryKey });
  void router.navigate({ to: "/login" });
});

/** The whole console. */
export function App() {
  return (
    <QueryClientProvider client={client}>
      <RouterProvider router={router} />
    </QueryClientProvider>
  );
}
