"use no memo"; // Rendered too rarely for memoization to be worth its bytes in the first bundle.

import "./app.css";
import { Component, type ReactNode } from "react";

interface ScreenBoundaryProps {
  /** Called before the screen is drawn again. */
  readonly onRetry: (() => void) | undefined;
  readonly children: ReactNode;
}

interface ScreenBoundaryState {
  readonly isFailed: boolean;
}

/**
 * Shown for a screen whose code did not arrive or that failed while rendering: one sentence and one
 * button, with the tab bar below as always. A second failure reloads the document.
 */
export class ScreenBoundary extends Component<ScreenBoundaryProps, ScreenBoundaryState> {
  override state: ScreenBoundaryState = { isFailed: false };
  #failures = 0;

  static getDerivedStateFromError(): ScreenBoundaryState {
    return { isFailed: true };
  }

  override componentDidCatch(): void {
    this.#failures += 1;
  }

  readonly #retry = () => {
    if (this.#failures > 1) {
      window.location.reload();
      return;
    }
    this.props.onRetry?.();
    this.setState({ isFailed: false });
  };

  override render(): ReactNode {
    if (!this.state.isFailed) return this.props.children;
    return (
      <div className="screen-failed" role="alert">
        <p>页面没有加载出来，请检查网络后重试。</p>
        <button type="button" className="button button-primary" onClick={this.#retry}>
          重新加载
        </button>
      </div>
    );
  }
}
