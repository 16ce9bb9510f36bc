/** What became of the prompt for a tool call. */
import type { ToolPermission } from "../../src/messages/transcript-models.ts";
import { Icon } from "../elements/icon.tsx";
import { receiptText } from "./receipt-text.ts";

export function PermissionReceipt({ permission }: { readonly permission: ToolPermission }) {
  const isAllowed = permission.outcome === "allow" || permission.outcome === "answered";
  return (
    <p class="tool-receipt">
      <Icon name={isAllowed ? "shield-check" : "shield-x"} /> {receiptText(permission)}
    </p>
  );
}
