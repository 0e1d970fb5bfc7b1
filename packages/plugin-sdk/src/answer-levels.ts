import { defaultFrameBounds, isDeeperThan } from '@junctor/jsonrpc'

/** The most levels of objects and arrays in the result of a tool: with the message around them, readers accept them. */
export const mostAnswerLevels: number = defaultFrameBounds.depth - 4

/** Whether the JSON that another server sent has too many levels for the result of a tool. */
export function isTooDeepAnswer(text: string): boolean {
  return isDeeperThan(text, mostAnswerLevels)
}
