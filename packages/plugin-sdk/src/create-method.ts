import { andThen } from '@junctor/primitives'
import type { JsonObject, JsonValue } from '@junctor/jsonrpc'
import { methods, rpcMethods } from '@junctor/protocol'
import type { output } from 'zod'
import { assertFunction } from './misused.ts'
import type { RequestContext } from './request-context.ts'
import { describeProblems } from './schema/problem.ts'
import { compileParams, type Schema } from './schema/schema.ts'
import type { ZodSchema } from './schema/zod-schema.ts'
import { isPieces, sendPieces } from './send-pieces.ts'

/** What a handler is given: what its schema makes of the params, or the params as they came, if there are any. */
export type MethodParams<Params extends Schema | undefined> = Params extends ZodSchema
  ? output<Params>
  : Params extends JsonObject
    ? JsonValue
    : JsonValue | undefined

/** A method outside MCP, as its author writes it. */
export interface MethodDefinition<Params extends Schema | undefined> {
  /** As callers write it. Not one of MCP's, and not one that begins with `rpc.`: those are JSON-RPC's own. */
  readonly name: string
  readonly description?: string
  /** What params look like: an object or an array. Params that do not match are refused. Default: anything goes. */
  readonly params?: Params
  /**
   * Does the work. What it returns is the result, any JSON; a generator's pieces are sent one by one, as fast as the
   * caller reads them, and what it returns is the result. No value at all is `null`. What it throws is answered as an
   * error, with the message but never the stack.
   */
  handler(params: MethodParams<Params>, context: RequestContext): unknown
}

/** How a call of a method went. */
export type MethodOutcome =
  | { readonly kind: 'answered'; readonly result: unknown }
  /** The params do not match the schema, and the handler was not called. */
  | { readonly kind: 'refused'; readonly reason: string }

/** A method, ready to be offered by a backend. */
export interface Method {
  readonly name: string
  readonly description: string | undefined
  /** Runs it. Throws what the handler throws. */
  call(params: JsonValue | undefined, context: RequestContext): MethodOutcome | Promise<MethodOutcome>
}

const taken: ReadonlySet<string> = new Set<string>([...Object.values(methods), ...Object.values(rpcMethods)])

/**
 * Makes a method that is called by its name, without MCP around it.
 *
 * @throws Error when the name is empty or taken, the schema cannot be used, or there is no handler
 */
export function createMethod<Params extends Schema | undefined = undefined>(
  definition: MethodDefinition<Params>,
): Method {
  const { name, description, params: schema } = definition
  if (name === '' || name.startsWith('rpc.') || taken.has(name)) {
    throw new Error(`expected a name that neither MCP nor JSON-RPC uses, got ${JSON.stringify(name)}`)
  }
  assertFunction(`method ${name}`, definition, 'handler')
  const compiled = schema && compileParams(schema, `params of method ${name}`)

  function run(params: unknown, context: RequestContext): MethodOutcome | Promise<MethodOutcome> {
    return andThen(definition.handler(params as MethodParams<Params>, context), (answer) =>
      isPieces(answer) ? sendPieces(answer, context.exchange, (piece) => piece).then(answered) : answered(answer),
    )
  }

  return {
    name,
    description,
    call(params, context) {
      if (compiled === undefined) return run(params, context)
      return andThen(compiled.check(params ?? {}), (checked) =>
        checked.kind === 'valid'
          ? run(checked.value, context)
          : {
              kind: 'refused',
              reason: describeProblems(`The params do not match those of ${name}`, checked.problems),
            },
      )
    },
  }
}

function answered(result: unknown): MethodOutcome {
  return { kind: 'answered', result }
}
