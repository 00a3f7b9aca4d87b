import "./letter-column.css";
import { type CSSProperties, type PointerEvent, useState } from "react";
import { letterPlace } from "./artist-index.ts";

interface LetterColumnProps {
  readonly letters: readonly string[];
  readonly onChoose: (letter: string) => void;
}

/**
 * Letters at the edge of the screen. They shrink until all of them fit, so a finger need not hit
 * one: sliding along the column chooses each letter on its way, and shows it beside the finger.
 */
export function LetterColumn({ letters, onChoose }: LetterColumnProps) {
  const [held, setHeld] = useState<string | null>(null);
  const hold = ({ currentTarget, clientY }: PointerEvent) => {
    const { top, height } = currentTarget.getBoundingClientRect();
    const letter = letters[letterPlace(clientY - top, height, letters.length)];
    if (letter === undefined || letter === held) return;
    setHeld(letter);
    onChoose(letter);
  };
  const letGo = () => setHeld(null);
  return (
    <nav
      className="letter-column"
      style={{ "--letters": letters.length } as CSSProperties}
      aria-label="按首字母跳转"
      onPointerDown={(event) => event.button === 0 && hold(event)}
      onPointerMove={(event) => held !== null && hold(event)}
      onPointerUp={letGo}
      onPointerCancel={letGo}
      onPointerLeave={letGo}
    >
      {letters.map((letter) => (
        <button
          key={letter}
          type="button"
          className={letter === held ? "is-held" : undefined}
          onClick={() => onChoose(letter)}
        >
          {letter}
        </button>
      ))}
      {held !== null && (
        <b className="letter-held" aria-hidden="true">
          {held}
        </b>
      )}
    </nav>
  );
}
