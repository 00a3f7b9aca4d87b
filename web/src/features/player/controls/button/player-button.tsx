import "./player-button.css";
import type { ReactNode } from "react";

interface PlayerButtonProps {
  readonly label: string;
  readonly onPress: () => void;
  readonly className?: string;
  readonly children: ReactNode;
}

/** A round button over the picture, 44 px. */
export function PlayerButton({ label, onPress, className = "", children }: PlayerButtonProps) {
  return (
    <button
      type="button"
      className={`player-button ${className}`}
      aria-label={label}
      onClick={onPress}
    >
      {children}
    </button>
  );
}
