"use no memo"; // Rendered too rarely for memoization to be worth its bytes in the first bundle.
import "./message-bar.css";
import { hideMessage, useMessageStore } from "@/shared/messages/message-store.ts";

/** The transient message (specification §2): one at a time, gone after 3000 ms or on tap. */
export function MessageBar() {
  const message = useMessageStore((state) => state.current);
  return (
    <div className="message-place" role="status" aria-live="polite">
      {message && (
        <div className="message" key={message.id}>
          <button type="button" className="message-text" onClick={hideMessage}>
            {message.text}
          </button>
          {message.action && (
            <button
              type="button"
              className="message-action"
              onClick={() => {
                hideMessage();
                message.action?.run();
              }}
            >
              {message.action.label}
            </button>
          )}
        </div>
      )}
    </div>
  );
}
