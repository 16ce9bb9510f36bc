/**
 * Some choices, of which one is in effect. A click changes the shown choice only when the session confirms
 * it.
 */
import { useId } from "preact/hooks";

export type Choice = {
  readonly value: string;
  readonly label: string;
  readonly description?: string | undefined;
};

type ChoicesProps = {
  readonly title: string;
  readonly choices: readonly Choice[];
  readonly chosen: string | undefined;
  readonly onChoose: (value: string) => void;
  /** In one line, without descriptions. */
  readonly isCompact?: boolean;
};

export function Choices({ title, choices, isCompact = false, ...rest }: ChoicesProps) {
  const name = useId();
  return (
    <fieldset class="field">
      <legend>{title}</legend>
      <div class={isCompact ? "segments" : "stack tight choices"}>
        {choices.map((choice) => (
          <ChoiceView key={choice.value} name={name} choice={choice} {...rest} />
        ))}
      </div>
    </fieldset>
  );
}

type ChoiceProps = Pick<ChoicesProps, "chosen" | "onChoose"> & {
  readonly name: string;
  readonly choice: Choice;
};

function ChoiceView({
  name,
  choice: { value, label, description },
  chosen,
  onChoose,
}: ChoiceProps) {
  return (
    <label class="choice">
      <input
        type="radio"
        name={name}
        checked={value === chosen}
        onClick={(event) => {
          // The browser would show a choice that the session has not confirmed.
          if (value !== chosen) event.preventDefault();
          onChoose(value);
        }}
      />
      <span>
        {label}
        {description !== undefined && <small class="hint">{description}</small>}
      </span>
    </label>
  );
}
