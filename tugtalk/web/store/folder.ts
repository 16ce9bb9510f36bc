/** The folder of the session that a part of the page is about: paths in it are shown from there. */
import { useComputed } from "@preact/signals";
import { createContext } from "preact";
import { useContext } from "preact/hooks";
import { useApp } from "./app.ts";

const Folder = createContext("");

export const FolderProvider = Folder.Provider;

/** Empty where it is not known. */
export function useFolder(): string {
  return useContext(Folder);
}

/** The folder of a session, for its provider. */
export function useFolderOf(sessionId: string): string {
  const { host } = useApp();
  return useComputed(() => host.board.value.sessions.find(({ id }) => id === sessionId)?.dir ?? "")
    .value;
}
