import "./letter-column.css";
import { type CSSProperties, type MouseEvent, type PointerEvent, useRef, useState } from "react";
import { letterPlace } from "./artist-index.ts";

/** The click of a press follows it within this time, milliseconds. */
const CLICK_MS = 100;

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
  const letGoAt = useRef(Number.NEGATIVE_INFINITY);
  const hold = ({ currentTarget, clientY }: PointerEvent) => {
    const { top, height } = currentTarget.getBoundingClientRect();
    const letter = letters[letterPlace(clientY - top, height, letters.length)];
    if (letter === undefined || letter === held) return;
    setHeld(letter);
    onChoose(letter);
  };
  const letGo = ({ timeStamp }: PointerEvent) => {
    setHeld(null);
    letGoAt.current = timeStamp;
  };
  // A finger that rolled onto the next letter still clicks where it came down.
  const isOwnClick = ({ timeStamp }: MouseEvent) => timeStamp - letGoAt.current > CLICK_MS;
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
          onClick={(event) => isOwnClick(event) && onChoose(letter)}
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
