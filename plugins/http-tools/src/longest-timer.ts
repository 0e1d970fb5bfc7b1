/** The longest delay of a timer of Node.js, in milliseconds: a timer with a longer one fires at once. */
export const longestTimerMs: number = 2 ** 31 - 1
