import "./nav-bar.css";

/** The head of a screen that the tab bar leads to: its title alone. */
export function TabHead({ title }: { readonly title: string }) {
  return (
    <header className="nav-bar">
      <div className="nav-bar-inner">
        <h1>{title}</h1>
      </div>
    </header>
  );
}
