import {
  type ComponentPropsWithoutRef,
  createContext,
  type MouseEvent,
  type ReactNode,
  startTransition,
  use,
  useLayoutEffect,
  useState,
} from "react";
import {
  currentLocation,
  type Location,
  type NavigateOptions,
  navigate,
  onNavigation,
} from "./history.ts";

const LocationContext = createContext<Location>({ pathname: "/", search: "" });

interface NavigationProps {
  /** The address while there is no window: the page is prerendered. */
  readonly initial?: Location;
  readonly children: ReactNode;
}

/** Provides the page's address. While a screen's code is loading, the previous one stays. */
export function Navigation({ initial, children }: NavigationProps) {
  "use no memo"; // Its bytes are in the first bundle, and it would keep nothing that is dear.
  const [location, setLocation] = useState(() => initial ?? currentLocation());
  useLayoutEffect(() => {
    const stop = onNavigation(() => startTransition(() => setLocation(currentLocation())));
    // A redirect of the first screen has run before this effect.
    setLocation(currentLocation());
    return stop;
  }, []);
  return <LocationContext value={location}>{children}</LocationContext>;
}

/** Provides a fixed address to its children: a cached view while another is shown. */
export function FixedLocation({
  location,
  children,
}: {
  readonly location: Location;
  readonly children: ReactNode;
}) {
  "use no memo"; // Its bytes are in the first bundle, and it would keep nothing that is dear.
  return <LocationContext value={location}>{children}</LocationContext>;
}

/** The address of the view. */
export function useLocation(): Location {
  return use(LocationContext);
}

/** Goes to an address of the site, or through its history. */
export function useNavigate(): typeof navigate {
  return navigate;
}

/** The query of the view's address, and a function that replaces it. */
export function useSearchParams(): [
  URLSearchParams,
  (params: ConstructorParameters<typeof URLSearchParams>[0], options?: NavigateOptions) => void,
] {
  const { pathname, search } = useLocation();
  return [
    new URLSearchParams(search),
    (params, options) => navigate(`${pathname}?${new URLSearchParams(params)}`, options),
  ];
}

/** Redirects as soon as it is rendered. */
export function Redirect({ to }: { readonly to: string }) {
  useLayoutEffect(() => navigate(to, { replace: true }), [to]);
  return null;
}

interface LinkProps extends Omit<ComponentPropsWithoutRef<"a">, "href"> {
  /** Address inside the site. */
  readonly to: string;
  readonly replace?: boolean;
}

/** Whether a press asks for another tab or window, which the browser handles. */
function isForBrowser(event: MouseEvent<HTMLAnchorElement>): boolean {
  const { button, metaKey, ctrlKey, shiftKey, altKey } = event;
  return button !== 0 || metaKey || ctrlKey || shiftKey || altKey;
}

/** Handles a press on a link inside the site, unless it asks for another tab or window. */
export function followLink(
  event: MouseEvent<HTMLAnchorElement>,
  to: string,
  options?: NavigateOptions,
): void {
  if (event.defaultPrevented || isForBrowser(event)) return;
  event.preventDefault();
  navigate(to, options);
}

/** A link inside the site. */
export function Link({ to, replace = false, onClick, children, ...rest }: LinkProps) {
  "use no memo"; // Its bytes are in the first bundle, and it would keep nothing that is dear.
  return (
    <a
      {...rest}
      href={to}
      onClick={(event) => {
        onClick?.(event);
        followLink(event, to, { replace });
      }}
    >
      {children}
    </a>
  );
}
