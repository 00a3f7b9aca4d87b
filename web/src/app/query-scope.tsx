import { QueryClientProvider } from "@tanstack/react-query";
import type { ComponentType } from "react";
import { createQueryClient } from "@/shared/config/query-client.ts";

const client = createQueryClient();

/**
 * Gives a screen the query cache, one for all screens. Home does without, so its first bundle does
 * not hold it.
 */
export function withQueries(Screen: ComponentType): ComponentType {
  return function ScreenWithQueries() {
    return (
      <QueryClientProvider client={client}>
        <Screen />
      </QueryClientProvider>
    );
  };
}
