import { ENDPOINT } from "@/features/uploads/sending.ts";
import { call } from "@/shared/api/call.ts";

const ASK_MS = 3000;

/**
 * A time in which the server does not answer, or knows nobody who is logged in. It asks by itself,
 * whichever page is shown: the operator may log in here or in another tab.
 */
export class Outage {
  private readonly onOver: () => void;
  private timer: ReturnType<typeof setTimeout> | undefined;
  private isOn = false;

  constructor(onOver: () => void) {
    this.onOver = onOver;
  }

  get isNow(): boolean {
    return this.isOn;
  }

  begin(): void {
    if (this.isOn) return;
    this.isOn = true;
    this.askLater();
  }

  end(): void {
    this.isOn = false;
    clearTimeout(this.timer);
  }

  private askLater(): void {
    clearTimeout(this.timer);
    this.timer = setTimeout(() => void this.ask(), ASK_MS);
  }

  private async ask(): Promise<void> {
    try {
      await call(ENDPOINT, { isBackground: true });
    } catch {
      if (this.isOn) this.askLater();
      return;
    }
    if (this.isOn) this.onOver();
  }
}
