/** Fields of an input by name, each in full. */
import type { NamedText } from "../../src/messages/prompt-models.ts";
import { TextBlock } from "./text-block.tsx";

export function NamedFields({ fields }: { readonly fields: readonly NamedText[] }) {
  if (fields.length === 0) return null;
  return (
    <dl class="fields">
      {fields.map(({ name, text }) => (
        <div key={name} class="fields-row">
          <dt>{name}</dt>
          <dd>
            <TextBlock text={text} />
          </dd>
        </div>
      ))}
    </dl>
  );
}
