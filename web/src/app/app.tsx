/** The whole page. */
export function App() {
  return <main className="type-title p-6">流影</main>;
}
