import { QUIET_ZONE, qrModules, qrPath } from "./qr-modules.ts";

interface QrCodeProps {
  readonly text: string;
  /** What it holds, for screen readers. */
  readonly label: string;
}

/** A QR code as wide as its box; dark on white in both themes, or readers fail. */
export function QrCode({ text, label }: QrCodeProps) {
  const modules = qrModules(text);
  const size = modules.length + 2 * QUIET_ZONE;
  return (
    <svg
      viewBox={`${-QUIET_ZONE} ${-QUIET_ZONE} ${size} ${size}`}
      shapeRendering="crispEdges"
      role="img"
      aria-label={label}
    >
      <path fill="var(--on-cover)" d={`M${-QUIET_ZONE} ${-QUIET_ZONE}h${size}v${size}h-${size}z`} />
      <path fill="var(--on-white)" d={qrPath(modules)} />
    </svg>
  );
}
