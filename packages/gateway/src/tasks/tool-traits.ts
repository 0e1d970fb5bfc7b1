import type { Payload } from '@junctor/jsonrpc'
import { edit, isJsonObject } from '@junctor/jsonrpc'

/** What a tool says of how it may be run. */
export interface ToolTraits {
  /** `execution.taskSupport`; absent where it says nothing or something else. */
  readonly taskSupport?: TaskSupport
  /** Run twice it does what it does once: `readOnlyHint` or `idempotentHint`. */
  readonly repeatable?: true
}

export type TaskSupport = 'forbidden' | 'optional' | 'required'

const noTraits: ToolTraits = {}

/** Reads an item of `tools/list`. */
export function toolTraits(item: Payload): ToolTraits {
  const value = item.value()
  if (!isJsonObject(value)) return noTraits
  const { execution, annotations } = value
  const taskSupport = isJsonObject(execution) ? execution['taskSupport'] : undefined
  const { readOnlyHint, idempotentHint } = isJsonObject(annotations) ? annotations : {}
  const isSupport = taskSupport === 'forbidden' || taskSupport === 'optional' || taskSupport === 'required'
  const repeatable = readOnlyHint === true || idempotentHint === true
  if (!isSupport && !repeatable) return noTraits
  return { ...(isSupport && { taskSupport }), ...(repeatable && { repeatable }) }
}

/** An item of `tools/list` for clients that know tasks: any tool may be run as one, unless it says otherwise. */
export function offeredAsTask(item: Payload): Payload {
  if (toolTraits(item).taskSupport !== undefined) return item
  const value = item.value()
  const execution = isJsonObject(value) && isJsonObject(value['execution']) ? value['execution'] : {}
  return edit(item, { execution: { ...execution, taskSupport: 'optional' } })
}
