/**
 * Guarantee 8, and the host's side of guarantees 4 and 10: processes, and the turns and prompts that end with
 * them.
 */
import { describe, isOfProgram, isRequest, type Message } from "./observed.ts";
import { isTurnEnd } from "./observer-turns.ts";

const CLOSING = new Set(["control_request_resolved", "control_request_cancel"]);

/** Each prompt opens once and closes once, before its process exits. */
export function promptFaults(messages: readonly Message[], isOver: boolean): string[] {
  const faults: string[] = [];
  const open = new Set<unknown>();
  const ever = new Set<unknown>();
  for (const message of messages) {
    const id = message["request_id"];
    if (isRequest(message)) {
      if (ever.has(id)) faults.push(`prompt ${id} is asked again with ${describe(message)}`);
      ever.add(id);
      open.add(id);
    }
    if (CLOSING.has(message.type) && !open.delete(id))
      faults.push(`prompt ${id} is closed but not open`);
    if (message.type === "process_exit" && open.size > 0)
      faults.push("a prompt is open at process_exit");
  }
  if (isOver && open.size > 0) faults.push(`prompts are left open: ${[...open].join(", ")}`);
  return faults;
}

/** A request to the host's program in the foreground of a turn is closed before the next turn. */
export function programFaults(messages: readonly Message[]): string[] {
  const open = new Map<unknown, unknown>();
  const ended = new Set<unknown>();
  return messages.flatMap((message) => {
    const { type, request_id, turn_id, parent_tool_use_id } = message;
    // A subagent can go on in the background.
    if (isOfProgram(message) && turn_id !== undefined && parent_tool_use_id === undefined)
      open.set(request_id, turn_id);
    if (CLOSING.has(type)) open.delete(request_id);
    if (isTurnEnd(message)) ended.add(turn_id);
    if (type !== "turn_started") return [];
    return [...open]
      .filter(([, turnId]) => ended.has(turnId))
      .map(([id]) => `request ${id} outlives its turn`);
  });
}

/** Processes run one at a time, and each exits. */
export function processFaults(messages: readonly Message[], isOver: boolean): string[] {
  const faults: string[] = [];
  const running = new Set<unknown>();
  for (const { type, pid } of messages) {
    if (type === "process_started") {
      if (running.size > 0) faults.push(`process ${pid} starts beside another`);
      running.add(pid);
    }
    if (type === "process_exit" && !running.delete(pid))
      faults.push(`process ${pid} exits but was not started`);
  }
  if (isOver && running.size > 0) faults.push(`processes are left: ${[...running].join(", ")}`);
  return faults;
}
