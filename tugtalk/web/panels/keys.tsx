/** The keys of the page. */
import { KEYBINDINGS } from "../../client/views/keybindings.ts";
import { KeyView } from "../elements/key-view.tsx";
import { Panel, Section } from "./panel.tsx";

const CONTEXTS = [
  ["global", "Everywhere"],
  ["board", "In the list of sessions"],
  ["composer", "In the message field"],
  ["prompt", "Where Claude asks"],
] as const;

export function Keys() {
  return (
    <Panel title="Keys">
      {CONTEXTS.map(([context, title]) => (
        <Section key={context} title={title}>
          <dl class="keys stack tight">
            {KEYBINDINGS.filter((binding) => binding.context === context).map(
              ({ key, action, description }) => (
                <div key={action}>
                  <dt>
                    <KeyView keys={key} />
                  </dt>
                  <dd>{description}</dd>
                </div>
              ),
            )}
          </dl>
        </Section>
      ))}
    </Panel>
  );
}
