import { Link } from "@/shared/navigation/navigation.tsx";

/** The way out of an empty list. */
export function HomeLink() {
  return (
    <Link className="button button-primary" to="/home">
      去首页看看
    </Link>
  );
}
