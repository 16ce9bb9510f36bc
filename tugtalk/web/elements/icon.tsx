/** Icons with the colour of the text around them. `styles/icons.css` has what they look like. */

export type IconName =
  | "arrow-down"
  | "arrow-left"
  | "arrow-up"
  | "bell"
  | "brain"
  | "chart"
  | "check"
  | "chevron-down"
  | "chevron-right"
  | "chevron-up"
  | "circle-dot"
  | "clock"
  | "coin"
  | "copy"
  | "cross"
  | "download"
  | "edit"
  | "external"
  | "file"
  | "folder"
  | "fork"
  | "gauge"
  | "gear"
  | "globe"
  | "help"
  | "image"
  | "info"
  | "keyboard"
  | "list"
  | "menu"
  | "message"
  | "more"
  | "palette"
  | "paperclip"
  | "pause"
  | "play"
  | "plug"
  | "plus"
  | "question"
  | "refresh"
  | "search"
  | "send"
  | "shield-check"
  | "shield-x"
  | "sidebar"
  | "spark"
  | "stop"
  | "tasks"
  | "terminal"
  | "trash"
  | "undo"
  | "warning"
  | "wrench";

/** Without a label it is decoration, which screen readers leave out. */
export function Icon({ name, label }: { readonly name: IconName; readonly label?: string }) {
  return label === undefined ? (
    <span class={`icon icon-${name}`} aria-hidden="true" />
  ) : (
    <span class={`icon icon-${name}`} role="img" aria-label={label} />
  );
}
