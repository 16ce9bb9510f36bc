/** Text and thinking of Claude. */
import { showHidden } from "../../client/views/visible-text.ts";
import type { BlockItem } from "../../src/messages/transcript-models.ts";
import { Markdown } from "../markdown/markdown.tsx";

type BlockProps = { readonly item: BlockItem };

export function Block({ item }: BlockProps) {
  return item.kind === "text" ? <TextBlock item={item} /> : <ThinkingBlock item={item} />;
}

function TextBlock({ item: { key, text, status, isError } }: BlockProps) {
  return (
    <div data-item={key} class={`text ${status}${isError === true ? " failed" : ""}`}>
      <Markdown text={text} isStreaming={status === "streaming"} />
      {status === "abandoned" && <p class="aside">This answer was cut off.</p>}
    </div>
  );
}

function ThinkingBlock({ item: { key, text, redacted } }: BlockProps) {
  if (redacted === true) return <p class="aside">Thinking, which the API keeps to itself</p>;
  return (
    <details class="thinking" data-item={key}>
      <summary>Thinking · {text.length.toLocaleString("en-US")} characters</summary>
      <div class="plain">{showHidden(text)}</div>
    </details>
  );
}
