"use no memo"; // Drawn so rarely that remembering its parts would only cost bytes of the first bundle.

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
 * What becomes of a screen whose code did not come, or that failed while it was drawn: one sentence
 * and one button, with the tab bar below as ever. A second failure loads the document anew.
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
