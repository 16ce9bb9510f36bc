/** One field of a form of an MCP server, as the browser's own input. */
import type { TargetedInputEvent } from "preact";
import { useId } from "preact/hooks";
import { present } from "../../client/claude-value.ts";
import type { FormField } from "../../client/prompt-models.ts";
import { showHidden } from "../../client/views/visible-text.ts";
import type { FieldValue } from "./form-content.ts";

export type FieldProps = {
  readonly field: FormField;
  readonly value: FieldValue;
  readonly problem: string | undefined;
  readonly isDisabled: boolean;
  readonly onChange: (value: FieldValue) => void;
};

export function Field(props: FieldProps) {
  const { field, problem } = props;
  const id = useId();
  const input = <Input {...props} id={id} />;
  return (
    <div class="field">
      <label for={id} class={field.kind === "boolean" ? "choice" : ""}>
        {field.kind === "boolean" && input}
        {showHidden(field.label)}
        {field.isRequired && field.kind !== "boolean" && " (required)"}
      </label>
      {field.description !== undefined && <small>{showHidden(field.description)}</small>}
      {field.kind !== "boolean" && input}
      {problem !== undefined && (
        <small class="problem" id={`${id}-problem`} role="alert">
          {problem}
        </small>
      )}
    </div>
  );
}

type InputProps = FieldProps & { readonly id: string };

function Input(props: InputProps) {
  switch (props.field.kind) {
    case "boolean":
      return <TruthInput {...props} />;
    case "choice":
      return <ChoiceInput {...props} />;
    case "choices":
      return <ChoicesInput {...props} />;
    case "number":
    case "integer":
    case "text":
      return <TextInput {...props} />;
  }
}

/** The attributes of every input. */
function common({ id, isDisabled, problem }: InputProps) {
  return {
    id,
    disabled: isDisabled,
    "aria-invalid": problem !== undefined,
    "aria-describedby": `${id}-problem`,
  };
}

function TruthInput(props: InputProps) {
  return (
    <input
      {...common(props)}
      type="checkbox"
      checked={props.value === true}
      onChange={({ currentTarget }) => props.onChange(currentTarget.checked)}
    />
  );
}

function ChoiceInput(props: InputProps) {
  const { field, value, onChange } = props;
  return (
    <select
      {...common(props)}
      required={field.isRequired}
      value={String(value)}
      onChange={({ currentTarget }) => onChange(currentTarget.value)}
    >
      <option value="">Choose…</option>
      {field.choices.map((choice) => (
        <option key={choice.value} value={choice.value}>
          {showHidden(choice.label)}
        </option>
      ))}
    </select>
  );
}

function ChoicesInput(props: InputProps) {
  const { id, field, value, isDisabled, onChange } = props;
  const chosen = Array.isArray(value) ? value : [];
  const toggled = (one: string) =>
    chosen.includes(one) ? chosen.filter((other) => other !== one) : [...chosen, one];
  return (
    <fieldset class="options" id={id} aria-label={field.label}>
      {field.choices.map((choice) => (
        <label class="option" key={choice.value}>
          <input
            type="checkbox"
            disabled={isDisabled}
            checked={chosen.includes(choice.value)}
            onChange={() => onChange(toggled(choice.value))}
          />
          {showHidden(choice.label)}
        </label>
      ))}
    </fieldset>
  );
}

/** The keyboard of a phone, by the format. */
const MODES = new Map<string | undefined, "email" | "url">([
  ["email", "email"],
  ["uri", "url"],
]);
/** The step of a number's arrows; any value is allowed beside them. */
const STEPS: Readonly<Record<string, string>> = { number: "any", integer: "1" };
const LOCAL_TIME = /^$|^\d{4}-\d\d-\d\dT\d\d:\d\d$/;

function TextInput(props: InputProps) {
  const { field, onChange } = props;
  const { kind, format, isRequired, min, max } = field;
  const input = {
    ...common(props),
    required: isRequired,
    value: String(props.value),
    onInput: ({ currentTarget }: TargetedInputEvent<HTMLInputElement>) =>
      onChange(currentTarget.value),
  };
  if (kind !== "text")
    return <input {...input} type="number" {...present({ min, max })} step={STEPS[kind]} />;
  if (format === "date") return <input {...input} type="date" />;
  if (format === "date-time" && LOCAL_TIME.test(input.value))
    return <input {...input} type="datetime-local" />;
  return (
    <input
      {...input}
      type="text"
      dir="auto"
      inputMode={MODES.get(format)}
      {...present({ maxLength: max })}
    />
  );
}
