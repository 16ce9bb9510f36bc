/** The order in which a person looks at tasks, and one line about them. Pure. */
import type { TaskItem } from "../../client/reduced-session.ts";

const RANKS: Readonly<Record<string, number>> = { in_progress: 0, pending: 1, completed: 3 };

/** First the tasks that Claude is at, then those to come, and last the finished ones. */
export function inOrder(tasks: readonly TaskItem[]): TaskItem[] {
  const rank = ({ status }: TaskItem) => RANKS[status] ?? 2;
  return tasks.toSorted((one, other) => rank(one) - rank(other));
}

/** For a Claude that is at work, `2 of 5 · Running tests · 1 in the background`; nothing if all is done. */
export function taskSummary(
  tasks: readonly TaskItem[],
  running: number,
  isAtWork = true,
): string | undefined {
  const done = tasks.filter(({ status }) => status === "completed").length;
  const active = tasks.find(({ status }) => status === "in_progress");
  const isOpen = done < tasks.length;
  const parts = [
    isOpen ? `${done} of ${tasks.length}` : undefined,
    (isAtWork ? active?.activeForm : undefined) ?? active?.subject,
    running > 0 ? `${running} in the background` : undefined,
  ];
  return parts.filter((part) => part !== undefined && part !== "").join(" · ") || undefined;
}
