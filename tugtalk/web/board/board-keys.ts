/** The keys of the board: from card to card and from column to column. */

type Step = (cards: readonly (readonly HTMLElement[])[], at: CardPosition) => CardPosition;
type CardPosition = { readonly column: number; readonly card: number };

const STEPS: Readonly<Record<string, Step>> = {
  j: down,
  ArrowDown: down,
  k: up,
  ArrowUp: up,
  l: (cards, at) => aside(cards, at, 1),
  ArrowRight: (cards, at) => aside(cards, at, 1),
  h: (cards, at) => aside(cards, at, -1),
  ArrowLeft: (cards, at) => aside(cards, at, -1),
};

/** Moves the focus, unless somebody types or the key is with a modifier. */
export function handleBoardKey(event: KeyboardEvent, board: HTMLElement): void {
  if (event.defaultPrevented || event.ctrlKey || event.metaKey || event.altKey) return;
  if (event.key === "/" && !isTyping(event.target)) {
    event.preventDefault();
    board.querySelector<HTMLElement>(".board-filter")?.focus();
    return;
  }
  const step = STEPS[event.key];
  if (step === undefined || !mayMove(event)) return;
  const cards = cardsOf(board);
  if (cards.length === 0) return;
  event.preventDefault();
  const { column, card } = step(cards, positionOf(cards));
  cards[column]?.[card]?.focus();
}

/** Out of the filter only downwards. */
function mayMove({ key, target }: KeyboardEvent): boolean {
  return !isTyping(target) || (key === "ArrowDown" && isFilter(target));
}

function isTyping(target: EventTarget | null): boolean {
  return target instanceof HTMLElement && target.matches("input, textarea, select, [popover] *");
}

function isFilter(target: EventTarget | null): boolean {
  return target instanceof HTMLElement && target.matches(".board-filter");
}

/** The links of the cards, by column; columns without cards are left out. */
function cardsOf(board: HTMLElement): HTMLElement[][] {
  return [...board.querySelectorAll(".column, .archived")]
    .map((column) => [...column.querySelectorAll<HTMLElement>(".card-link")])
    .filter((links) => links.length > 0);
}

/** The position of the focus; before the first card if no card has it. */
function positionOf(cards: readonly (readonly HTMLElement[])[]): CardPosition {
  const focused = document.activeElement
    ?.closest(".session-card")
    ?.querySelector<HTMLElement>(".card-link");
  for (const [column, links] of cards.entries()) {
    const card = focused ? links.indexOf(focused) : -1;
    if (card >= 0) return { column, card };
  }
  return { column: 0, card: -1 };
}

/** At the end of a column on to the next one. */
function down(
  cards: readonly (readonly HTMLElement[])[],
  { column, card }: CardPosition,
): CardPosition {
  const length = cards[column]?.length ?? 0;
  if (card + 1 < length) return { column, card: card + 1 };
  return column + 1 < cards.length ? { column: column + 1, card: 0 } : { column, card };
}

function up(
  cards: readonly (readonly HTMLElement[])[],
  { column, card }: CardPosition,
): CardPosition {
  if (card > 0) return { column, card: card - 1 };
  const before = cards[column - 1];
  return before === undefined
    ? { column, card: 0 }
    : { column: column - 1, card: before.length - 1 };
}

function aside(
  cards: readonly (readonly HTMLElement[])[],
  { column, card }: CardPosition,
  step: number,
): CardPosition {
  const next = Math.min(Math.max(column + step, 0), cards.length - 1);
  const length = cards[next]?.length ?? 1;
  return { column: next, card: Math.min(Math.max(card, 0), length - 1) };
}
