/** The parts of home below its first screen, in a separate chunk that is loaded later. */
export { UnlockBlock } from "@/features/share-unlock/unlock-block.tsx";
export { TopicBlock } from "@/features/topics/topic-block.tsx";
