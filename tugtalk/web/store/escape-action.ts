/** The action of Escape in a state: it is also for the composer. Pure. */
import { type StopAction, type Stoppable, stopAction } from "./stop-action.ts";

export function escapeAction(state: Stoppable, isSending: boolean, text: string): StopAction {
  const action = stopAction(state, isSending);
  return action !== "interrupt" && text !== "" ? "clear" : action;
}
