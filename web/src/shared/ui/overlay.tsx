import "./nav-bar.css";
import "./overlay.css";
import { IconX } from "@tabler/icons-react";
import { type ReactNode, useEffect, useRef, useState } from "react";
import { createThrottle } from "@/shared/throttle.ts";
import { raiseMessages } from "./raise-messages.ts";

interface OverlayProps {
  readonly title: string;
  readonly onClose: () => void;
  readonly children: ReactNode;
}

/** Something over the whole screen, with its title and an X. */
export function Overlay({ title, onClose, children }: OverlayProps) {
  const dialog = useRef<HTMLDialogElement>(null);
  // Most close by going back, which takes a moment: a second tap would leave the page as well.
  const [mayClose] = useState(() => createThrottle());
  const close = () => mayClose() && onClose();
  useEffect(() => {
    const element = dialog.current;
    element?.showModal();
    const settle = raiseMessages();
    return () => {
      settle();
      element?.close();
    };
  }, []);
  return (
    <dialog
      ref={dialog}
      className="overlay"
      aria-label={title}
      onCancel={(event) => {
        event.preventDefault();
        close();
      }}
    >
      <header className="nav-bar">
        <div className="nav-bar-inner">
          <button type="button" className="icon-button" aria-label="关闭" onClick={close}>
            <IconX stroke={1.75} aria-hidden="true" />
          </button>
          <h1>{title}</h1>
          <span className="nav-bar-end" />
        </div>
      </header>
      {children}
    </dialog>
  );
}
