/** A mark that keeps a program in the place of tugtalk from starting another one. */

/**
 * A variable in the environment of tugtalk, which removes it: a program that still has the variable was
 * started as tugtalk, but is another program.
 */
export const START_MARK = "TUGTALK_STARTED";
