/** The parts of home below its first screen, in chunks that are loaded later. */
export { TopicBlock } from "@/features/topics/topic-block.tsx";

/** Far below, with code of lists that home needs nowhere else. */
export async function loadUnlockBlock() {
  return (await import("@/features/share-unlock/unlock-block.tsx")).UnlockBlock;
}
