import type { ServerInfo } from '@junctor/contracts'
import type { Payload } from '@junctor/jsonrpc'
import { edit, isJsonObject } from '@junctor/jsonrpc'

/** What is known of how a tool may be run. */
export interface ToolTraits {
  /** Whether clients may call it as a task: `execution.taskSupport`, as the gateway shows it. */
  readonly taskSupport: TaskSupport
  /** Run twice it does what it does once: `readOnlyHint` or `idempotentHint`. */
  readonly repeatable: boolean
}

type TaskSupport = 'forbidden' | 'optional' | 'required'

/**
 * Reads an item of a backend's `tools/list`. Tasks are the gateway's own, so that any tool may be called as one. What a
 * server says of its tools is what counts where it has tasks itself; of others `forbidden` means no more than that they
 * have none.
 */
export function toolTraits(item: Payload, { capabilities }: Pick<ServerInfo, 'capabilities'>): ToolTraits {
  const value = item.value()
  const { execution, annotations } = isJsonObject(value) ? value : {}
  const said = isJsonObject(execution) ? execution['taskSupport'] : undefined
  const { readOnlyHint, idempotentHint } = isJsonObject(annotations) ? annotations : {}
  const isKept = said === 'required' || (said === 'forbidden' && capabilities['tasks'] !== undefined)
  return { taskSupport: isKept ? said : 'optional', repeatable: readOnlyHint === true || idempotentHint === true }
}

/** An item of `tools/list` for clients that know tasks. */
export function withTaskSupport(item: Payload, { taskSupport }: ToolTraits): Payload {
  const value = item.value()
  const execution = isJsonObject(value) && isJsonObject(value['execution']) ? value['execution'] : {}
  return execution['taskSupport'] === taskSupport ? item : edit(item, { execution: { ...execution, taskSupport } })
}
