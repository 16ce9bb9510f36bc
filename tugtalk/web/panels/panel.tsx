/** A dialog of the page that shows something, and is closed when a person has seen it. */
import type { ComponentChildren } from "preact";
import { Dialog } from "../elements/dialog.tsx";
import type { SessionStore } from "../store/session-store.ts";

/** Panels about a session get the session of the route. */
export type SessionPanelProps = { readonly session: SessionStore };

type PanelProps = {
  readonly title: string;
  readonly children: ComponentChildren;
  /** `wide` or `narrow`. */
  readonly class?: string;
};

export function Panel({ title, children, class: name = "" }: PanelProps) {
  return (
    <Dialog title={title} class={name} isLight>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a scrolling element must be reachable by keyboard. */}
      <div class="dialog-body" tabIndex={0}>
        {children}
      </div>
    </Dialog>
  );
}

type SectionProps = { readonly title: string; readonly children: ComponentChildren };

export function Section({ title, children }: SectionProps) {
  return (
    <section class="stack">
      <h3>{title}</h3>
      {children}
    </section>
  );
}

type FactProps<Value> = {
  readonly name: string;
  readonly value: Value | undefined;
  readonly format?: (value: Value) => string;
};

/** A row of `.facts`. Draws nothing where the value is not known. */
export function Fact<Value>({ name, value, format = String }: FactProps<Value>) {
  if (value === undefined) return null;
  return (
    <>
      <dt>{name}</dt>
      <dd>{format(value)}</dd>
    </>
  );
}
