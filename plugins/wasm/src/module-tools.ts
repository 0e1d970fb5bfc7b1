import {
  createTool,
  logLevels,
  type RequestContext,
  type Log,
  type StructuredResponse,
  type Tool,
  type ToolResponse,
} from '@junctor/plugin-sdk'
import { CallFailed, isJsonObject } from '@junctor/plugin-sdk/link'
import type { Outbound } from './outbound.ts'
import { readAnswer, readPiece, type ToolMetadata } from './read-answer.ts'
import type { ThreadPool } from './thread-pool.ts'
import type { ThreadListener } from './wasm-thread.ts'

/**
 * The tools of a module, for a backend.
 *
 * @throws Error when a name or a schema cannot be used
 */
export function moduleTools(about: readonly ToolMetadata[], parts: ModuleParts): readonly Tool[] {
  return about.map((tool, position) => {
    const { name, title, description, inputSchema, outputSchema, annotations } = tool
    const metadata = {
      name,
      description,
      inputSchema,
      ...(typeof title === 'string' && { title }),
      ...(isJsonObject(outputSchema) && { outputSchema }),
      ...(isJsonObject(annotations) && { annotations }),
    }
    // The cast promises structured content to a tool with an output schema. `createTool` checks it.
    const handler = (input: object, context: RequestContext) =>
      callModule({ ...parts, name, position, input, context }) as Promise<StructuredResponse<object>>
    // The module gets and gives JSON text, so its numbers need not fit those of JavaScript.
    return createTool({ metadata, exactNumbers: true, handler }, { log: parts.log })
  })
}

/** What the tools of a module work with. */
export interface ModuleParts {
  readonly pool: ThreadPool
  readonly outbound: Outbound
  readonly log: Log
}

interface ModuleCall extends ModuleParts {
  readonly name: string
  readonly position: number
  readonly input: object
  readonly context: RequestContext
}

/** @throws CallFailed when the module gives no answer. Only the log has the reason */
async function callModule(call: ModuleCall): Promise<ToolResponse> {
  const { name, position, input, context, pool, outbound, log } = call
  const { exchange } = context
  let hasPieces = false
  const listener: ThreadListener = {
    progress: (done, total, message) => context.progress(done, total, message),
    log: (level, text) => context.log(logLevels[level] ?? 'info', text),
    piece(json) {
      hasPieces = true
      return exchange.chunk(readPiece(json))
    },
    fetch: (json) => outbound.fetch(json, context),
  }
  try {
    const work = { tool: position, input: JSON.stringify(input) }
    const answer = await pool.run({ tenant: exchange.context.tenant, work, listener, exchange })
    if (answer.kind === 'failed') throw new Error(answer.reason)
    if (answer.json !== undefined) return readAnswer(answer.json)
    if (hasPieces) return { content: [] }
    throw new Error('the module has given no answer: it has called no "output"')
  } catch (error) {
    if (exchange.ended === undefined) log.error('tool failed', { tool: name, error })
    throw new CallFailed({ situation: 'tool_failed', details: {} }, { cause: error })
  }
}
