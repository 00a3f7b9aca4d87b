import { send } from "./send.ts";

/** Count a search for the hot words; a failure is only logged: searching does not depend on it. */
export async function reportSearch(term: string): Promise<void> {
  try {
    await send("post", "/api/search/event", { term });
  } catch (error) {
    console.info(error);
  }
}
