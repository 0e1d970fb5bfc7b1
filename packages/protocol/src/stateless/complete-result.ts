import { edit, isJsonObject, type Payload } from '@junctor/jsonrpc'

/** The members with which 2026-07-28 makes a result something else than a complete one. */
const ofOtherTypes = { resultType: undefined, inputRequests: undefined, requestState: undefined } as const

/**
 * A result whose sender knows no types of results, for readers that do: without the members that would make it a question,
 * a task or another type (2026-07-28, Base Protocol, "Result"). Without a type it is complete. Most results have none of
 * these members, and are returned unchanged.
 */
export function completeResult(result: Payload): Payload {
  const value = result.value()
  if (!isJsonObject(value)) return result
  const { resultType, inputRequests, requestState } = value
  const isPlain = resultType === undefined && inputRequests === undefined && requestState === undefined
  return isPlain ? result : edit(result, ofOtherTypes)
}
