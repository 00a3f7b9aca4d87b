import { create } from "zustand";

/**
 * Whether 我的 carries the dot of an unread notice (specification §4). The first bundle knows no more
 * of notices.
 */
export const useNoticeDot = create<{ readonly isShown: boolean }>(() => ({ isShown: false }));
