/** A mark that keeps a program that is started in place of tugtalk from starting the next one. */

/** In the environment of what is started as tugtalk, which removes it: who still finds it is not tugtalk. */
export const START_MARK = "TUGTALK_STARTED";
