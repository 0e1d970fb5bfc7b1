import type { ServerInfo } from '@junctor/contracts'
import { edit, isJsonObject, memberOf, type Payload } from '@junctor/jsonrpc'
import { type ParameterHeader, readParameterHeaders } from '@junctor/protocol'
import { readToolViews, type ToolViews } from './tool-views.ts'

/** What the gateway knows about how a tool may be run. */
export interface ToolTraits {
  /** Whether clients may call it as a task: `execution.taskSupport`, as the gateway shows it. */
  readonly taskSupport: TaskSupport
  /** Running it twice has the same effect as running it once: `readOnlyHint` or `idempotentHint`. */
  readonly repeatable: boolean
  /** The arguments that clients of 2026-07-28 repeat in headers. Absent: none, or they are declared wrongly. */
  readonly parameterHeaders?: readonly ParameterHeader[]
  /** Its views. Absent: it declares nothing about views. */
  readonly views?: ToolViews
}

type TaskSupport = 'forbidden' | 'optional' | 'required'

/**
 * Reads the traits from an item of a backend's `tools/list`. The gateway implements tasks itself, so clients may call
 * any tool as a task. The declaration of a server that has tasks itself is kept; from any other server, `forbidden`
 * only means that the server has no tasks.
 */
export function toolTraits(item: Payload, { capabilities }: Pick<ServerInfo, 'capabilities'>): ToolTraits {
  const value = item.value()
  const { execution, annotations, inputSchema } = isJsonObject(value) ? value : {}
  const declared = memberOf(execution, 'taskSupport')
  const { readOnlyHint, idempotentHint } = isJsonObject(annotations) ? annotations : {}
  const isDeclarationKept = declared === 'required' || (declared === 'forbidden' && capabilities['tasks'] !== undefined)
  const read = readParameterHeaders(inputSchema)
  const views = isJsonObject(value) ? readToolViews(value) : undefined
  return {
    taskSupport: isDeclarationKept ? declared : 'optional',
    repeatable: readOnlyHint === true || idempotentHint === true,
    ...(read.kind === 'headers' && read.headers.length > 0 && { parameterHeaders: read.headers }),
    ...(views !== undefined && { views }),
  }
}

/** An item of `tools/list` for clients that know tasks. */
export function withTaskSupport(item: Payload, { taskSupport }: ToolTraits): Payload {
  const value = item.value()
  const execution = isJsonObject(value) && isJsonObject(value['execution']) ? value['execution'] : {}
  return execution['taskSupport'] === taskSupport ? item : edit(item, { execution: { ...execution, taskSupport } })
}
