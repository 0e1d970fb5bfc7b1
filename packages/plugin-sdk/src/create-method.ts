import { andThen } from '@junctor/primitives'
import type { JsonObject, JsonValue } from '@junctor/jsonrpc'
import { methods, rpcMethods } from '@junctor/protocol'
import type { output } from 'zod'
import { assertFunction, assertName } from './misused.ts'
import type { RequestContext } from './request-context.ts'
import { describeProblems } from './schema/schema-problem.ts'
import { compileParams, type Schema } from './schema/schema.ts'
import type { ZodSchema } from './schema/zod-schema.ts'
import { isPieces, sendPieces } from './send-pieces.ts'

/**
 * What a handler receives: the params as parsed by the schema; without a schema the params as they were sent, if any.
 */
export type MethodParams<Params extends Schema | undefined> = Params extends ZodSchema
  ? output<Params>
  : Params extends JsonObject
    ? JsonValue
    : JsonValue | undefined

/** A method outside MCP, as its author writes it. */
export interface MethodDefinition<Params extends Schema | undefined> {
  /**
   * The name that callers use. Must not be a method of MCP, and must not begin with `rpc.`, which JSON-RPC reserves.
   */
  readonly name: string
  readonly description?: string
  /** The schema of the params: an object or an array. Params that do not match are refused. Default: no check. */
  readonly params?: Params
  /**
   * Does the work. The return value is the result, any JSON; `undefined` becomes `null`. A generator's pieces are sent
   * one by one, as fast as the caller reads them, and its return value is the result. When the handler throws, the
   * caller receives an error with the message but never the stack.
   */
  handler(params: MethodParams<Params>, context: RequestContext): unknown
}

/** The outcome of one call of a method. */
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
 * @throws Error when there is no name or it is taken, the schema cannot be used, or there is no handler
 */
export function createMethod<Params extends Schema | undefined = undefined>(
  definition: MethodDefinition<Params>,
): Method {
  assertName('createMethod({ name, params, handler })', definition)
  const { name, description, params: schema } = definition
  if (name.startsWith('rpc.') || taken.has(name)) {
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
