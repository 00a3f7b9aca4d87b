/** Playback rates on offer (specification §9). */
export const RATES = [1, 1.5, 2, 3] as const;
/** The rate while a finger rests on the picture. */
export const HOLD_RATE = 2;
