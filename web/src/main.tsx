import "@/shared/ui/base.css";
import { createRoot } from "react-dom/client";
import { App } from "@/app/app.tsx";

const root = document.getElementById("root");
if (!root) throw new Error("index.html lacks #root");
createRoot(root).render(<App />);
