/** The view that the address names: the board, or one session. */
import { type ReadonlySignal, signal } from "@preact/signals";

export type Route = { readonly name: "board" } | { readonly name: "session"; readonly id: string };

const SESSION = /^#\/s\/([\w-]+)$/;

export function parseRoute(hash: string): Route {
  const id = SESSION.exec(hash)?.[1];
  return id === undefined ? { name: "board" } : { name: "session", id };
}

export function formatRoute(route: Route): string {
  return route.name === "board" ? "#/" : `#/s/${route.id}`;
}

/** Follows the address bar. */
export function watchRoute(): ReadonlySignal<Route> {
  const route = signal(parseRoute(location.hash));
  addEventListener("hashchange", () => {
    route.value = parseRoute(location.hash);
  });
  return route;
}

export function goTo(route: Route): void {
  location.hash = formatRoute(route);
}
