/** How many prompts wait for a person. */
import { Icon } from "./icon.tsx";

type PendingBadgeProps = {
  readonly count: number;
  /** In the header of a session, where a bell is beside the number. */
  readonly hasBell?: boolean;
};

/** Draws nothing at 0. */
export function PendingBadge({ count, hasBell = false }: PendingBadgeProps) {
  if (count === 0) return null;
  const title = `${count} pending ${count === 1 ? "approval" : "approvals"}`;
  return (
    <span class={hasBell ? "pending-badge pending-bell" : "pending-badge"} title={title}>
      {hasBell && <Icon name="bell" />}
      <span aria-hidden="true">{count}</span>
      <span class="visually-hidden">{title}</span>
    </span>
  );
}
