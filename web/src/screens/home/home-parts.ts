/** What home shows below its first screen, in one file of code that comes later. */
export { UnlockBlock } from "@/features/share-unlock/unlock-block.tsx";
export { TopicBlock } from "@/features/topics/topic-block.tsx";
