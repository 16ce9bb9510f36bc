/** A menu of actions behind a button: a popover of the browser, which Escape and a click elsewhere close. */
import { useSignal } from "@preact/signals";
import type { ComponentChildren } from "preact";
import { useId, useLayoutEffect, useRef } from "preact/hooks";
import { Icon } from "./icon.tsx";
import { OPTION_STEPS } from "./option-steps.ts";

type MenuProps = {
  /** The name of the button for screen readers, and its title. */
  readonly label: string;
  /** The face of the button; three dots if absent. */
  readonly face?: ComponentChildren;
  /** `MenuItem`s. */
  readonly children: ComponentChildren;
  /** Added to the button. */
  readonly class?: string;
};

const GAP_PX = 4;

/** Where the keys for the first and the last item lead. */
const MENU_ENDS: Readonly<Record<string, number>> = { Home: 0, End: -1 };

export function Menu({
  label,
  face = <Icon name="more" />,
  children,
  class: name = "icon-button",
}: MenuProps) {
  const id = useId();
  const list = useRef<HTMLDivElement>(null);
  // A page has hundreds of menus that nobody opens.
  const isOpen = useSignal(false);
  return (
    <>
      <button
        type="button"
        class={name}
        title={label}
        aria-label={label}
        aria-haspopup="menu"
        popovertarget={id}
      >
        {face}
      </button>
      <div
        ref={list}
        id={id}
        popover="auto"
        role="menu"
        tabIndex={-1}
        aria-label={label}
        class="menu card"
        onBeforeToggle={({ newState }) => {
          if (newState === "open") isOpen.value = true;
        }}
        onToggle={({ newState }) => {
          // The items stay until the menu is closed: without the focused item, the focus would be lost.
          if (newState === "closed") isOpen.value = false;
          settle(list.current);
        }}
        onClick={() => list.current?.hidePopover()}
        onKeyDown={(event) => moveFocus(event)}
      >
        {isOpen.value && children}
      </div>
    </>
  );
}

type MenuItemProps = {
  readonly onSelect: () => void;
  readonly children: ComponentChildren;
  /** It destroys something. */
  readonly isDanger?: boolean;
  readonly disabled?: boolean;
  /** For one of several choices: whether it is in effect. */
  readonly isChecked?: boolean;
};

export function MenuItem({ onSelect, children, isDanger, disabled, isChecked }: MenuItemProps) {
  const role =
    isChecked === undefined
      ? ({ role: "menuitem" } as const)
      : ({ role: "menuitemradio", "aria-checked": isChecked } as const);
  const item = useRef<HTMLButtonElement>(null);
  // Items whose code is loaded are there after the menu has opened.
  useLayoutEffect(() => settle(item.current?.closest<HTMLElement>(".menu")), []);
  return (
    <button
      ref={item}
      {...role}
      type="button"
      class={isDanger === true ? "menu-item danger" : "menu-item"}
      disabled={disabled}
      onClick={onSelect}
    >
      {children}
    </button>
  );
}

/** Puts an open menu at its place, with the focus in it. */
function settle(menu: HTMLElement | null | undefined): void {
  if (menu?.matches(":popover-open:not(:has(:focus))") !== true) return;
  const button = document.querySelector(`[popovertarget="${CSS.escape(menu.id)}"]`);
  if (button !== null) place(menu, button.getBoundingClientRect());
  const items = itemsOf(menu);
  (items.find((item) => item.ariaChecked === "true") ?? items[0])?.focus();
}

/** Below the button, or above it where there is more room; inside of the window. */
function place(menu: HTMLElement, button: DOMRect): void {
  const { offsetWidth: width, offsetHeight: height } = menu;
  const isBelow = button.bottom + GAP_PX + height <= innerHeight || button.top < height;
  const left = Math.min(Math.max(GAP_PX, button.right - width), innerWidth - width - GAP_PX);
  menu.style.left = `${left}px`;
  menu.style.top = `${isBelow ? button.bottom + GAP_PX : button.top - GAP_PX - height}px`;
}

function itemsOf(menu: HTMLElement): HTMLElement[] {
  return [...menu.querySelectorAll<HTMLElement>('[role^="menuitem"]:not(:disabled)')];
}

function moveFocus(event: KeyboardEvent): void {
  const { key, currentTarget } = event;
  if (!(currentTarget instanceof HTMLElement)) return;
  const items = itemsOf(currentTarget);
  const at = items.findIndex((item) => item.matches(":focus"));
  const next = MENU_ENDS[key] ?? at + (OPTION_STEPS[key] ?? 0);
  if (next === at) return;
  event.preventDefault();
  event.stopPropagation();
  items.at(next % items.length)?.focus();
}
