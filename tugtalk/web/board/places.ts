/** The places that sessions may run on, as the host sends them. */
import { type ReadonlySignal, useSignal } from "@preact/signals";
import { useEffect } from "preact/hooks";
import type { CommandAnswers } from "../../client/command-answers.ts";
import { useApp } from "../store/app.ts";

export type Places = CommandAnswers["places"];

/** Undefined before the answer. */
export function usePlaces(): ReadonlySignal<Places | undefined> {
  const { host, toasts } = useApp();
  const places = useSignal<Places | undefined>(undefined);
  useEffect(() => {
    void toasts.attempt(host.transport.command("places")).then((answer) => {
      places.value = answer;
    });
  }, []);
  return places;
}
