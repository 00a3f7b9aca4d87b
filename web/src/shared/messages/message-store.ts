import { create } from "zustand";

/** How long a message stays, in milliseconds (specification §2, §9). */
export const MESSAGE_MS = 3000;

export interface Message {
  /** Distinguishes two messages with the same text. */
  readonly id: number;
  readonly text: string;
  readonly action: { readonly label: string; readonly run: () => void } | null;
}

interface MessageState {
  readonly current: Message | null;
}

export const useMessageStore = create<MessageState>(() => ({ current: null }));

let last = 0;
let timer: ReturnType<typeof setTimeout> | undefined;

/**
 * Show a message for {@link MESSAGE_MS}; it replaces any earlier one.
 *
 * @param text - Chinese sentence.
 * @param action - A button inside the message, such as 撤销.
 */
export function showMessage(text: string, action: Message["action"] = null): void {
  clearTimeout(timer);
  last += 1;
  useMessageStore.setState({ current: { id: last, text, action } });
  timer = setTimeout(hideMessage, MESSAGE_MS);
}

/** Hide the message at once. */
export function hideMessage(): void {
  clearTimeout(timer);
  useMessageStore.setState({ current: null });
}
