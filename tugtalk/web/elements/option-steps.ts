/** How far an arrow key moves the selection. */
export const OPTION_STEPS: Readonly<Record<string, number>> = { ArrowDown: 1, ArrowUp: -1 };
