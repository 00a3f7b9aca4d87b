import { create } from "zustand";

/**
 * Whether 我的 shows the dot of an unread notice (specification §4). The first bundle contains no
 * more of notices.
 */
export const useNoticeDot = create<{ readonly isShown: boolean }>(() => ({ isShown: false }));
