/** Whether a person types on the screen. */

export const IS_TOUCH = matchMedia("(hover: none) and (pointer: coarse)").matches;
