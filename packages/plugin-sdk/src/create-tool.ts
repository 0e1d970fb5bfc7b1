import type { Log } from '@junctor/contracts'
import { andThen } from '@junctor/primitives'
import { isJsonObject, type JsonObject, memberOf } from '@junctor/jsonrpc'
import { finishAnswer } from './finish-answer.ts'
import { assertFunction, kindOf } from './misused.ts'
import type { RequestContext } from './request-context.ts'
import type { UncheckedPattern } from './schema/linear-pattern.ts'
import { describeProblems, type CheckedValue } from './schema/schema-problem.ts'
import { compileSchema, type Schema, type SchemaInput, type SchemaOutput } from './schema/schema.ts'
import { isZodSchema } from './schema/zod-schema.ts'
import type {
  ContentLike,
  FailedResponse,
  StreamedResponse,
  StructuredResponse,
  ToolResponse,
} from './tool-response.ts'

/**
 * Hints about the behaviour of a tool (specification: ToolAnnotations). Clients may use them; they guarantee nothing.
 */
export interface ToolAnnotations {
  readonly title?: string
  /** Changes nothing. Default: false. */
  readonly readOnlyHint?: boolean
  /** May destroy something. Default: true. */
  readonly destructiveHint?: boolean
  /** A second call with the same arguments changes nothing more. Default: false. */
  readonly idempotentHint?: boolean
  /** Reaches things outside: the web, other services. Default: true. */
  readonly openWorldHint?: boolean
}

/** The definition of a tool that clients receive in `tools/list`. */
export interface ToolMetadata<Input extends Schema, Output extends Schema | undefined> {
  /** 1 to 128 of `A-Z a-z 0-9 _ - .` */
  readonly name: string
  readonly title?: string
  readonly description: string
  /** The arguments: an object. A zod schema gives the handler their type. */
  readonly inputSchema: Input
  /** The structured content: an object. With it, every answer that is not an error must be structured. */
  readonly outputSchema?: Output
  readonly annotations?: ToolAnnotations
  readonly _meta?: JsonObject
}

/**
 * What a handler may return. The pieces of a generator are sent one by one; its return value, if any, is the rest of
 * the result.
 */
export type ToolAnswer<Output extends Schema | undefined> = Output extends Schema
  ? StructuredResponse<SchemaInput<Output> & object> | FailedResponse
  : string | ToolResponse | StreamedResponse | AsyncIterable<ContentLike>

/** A tool, as its author writes it. */
export interface ToolDefinition<Input extends Schema, Output extends Schema | undefined> {
  readonly metadata: ToolMetadata<Input, Output>
  /**
   * For tools that pass their arguments on. A number that JavaScript would change (9007199254740993) is then a raw number
   * in the input, which `JSON.stringify` prints digit by digit, and may be one in the answer: `isRawNumber` and
   * `parseExactly` of `@junctor/plugin-sdk/link`. The schemas, which must be JSON Schemas, see all numbers as numbers.
   * Default: false, and calls with such a number are refused before the handler is called.
   */
  readonly exactNumbers?: boolean
  /**
   * Does the work. The arguments have been checked. When the handler throws, the answer is an error with the message
   * but never the stack. An answer that is not a promise costs no promise.
   */
  handler(input: SchemaOutput<Input>, context: RequestContext): ToolAnswer<Output> | Promise<ToolAnswer<Output>>
}

/** The outcome of one call of a tool. */
export type ToolOutcome =
  | { readonly kind: 'answered'; readonly result: ToolResponse }
  /** The arguments do not match the schema, and the handler was not called. */
  | { readonly kind: 'refused'; readonly reason: string }

/** A tool, ready to be offered by a backend. */
export interface Tool {
  readonly name: string
  /** What `tools/list` shows. */
  readonly listed: object
  /** Whether it takes numbers that JavaScript would change. Default: false, and it is not called with them. */
  readonly exactNumbers?: boolean
  /**
   * Runs it. Throws what the handler throws.
   *
   * @param exact the arguments with raw numbers, for a tool with `exactNumbers`; given only when they have such numbers
   */
  call(input: unknown, context: RequestContext, exact?: JsonObject): ToolOutcome | Promise<ToolOutcome>
}

/** Schemas that are not the author's: they come from a server or a document, which checks what it gets itself. */
export interface ForeignSchemas {
  /**
   * Gets a warning for each pattern of a JSON Schema that cannot be matched in linear time: it has a look-around or a
   * reference to a group, or its program is too large. Such a pattern is not checked.
   */
  readonly log: Log
}

const toolName = /^[A-Za-z0-9_.-]{1,128}$/

/** Other SDKs take the name and the schemas beside the handler. */
function assertMetadata(definition: unknown): void {
  const metadata = memberOf(definition, 'metadata')
  if (isJsonObject(metadata)) return
  const expected = 'createTool({ metadata: { name, description, inputSchema }, handler })'
  throw new Error(`expected ${expected}, got ${kindOf(definition)}`)
}

/**
 * Makes a tool. Schemas are compiled here, once, so that a bad one is found when the program starts. A pattern in a JSON
 * Schema that cannot be matched in linear time is a bad one too, unless the schemas are foreign.
 *
 * @throws Error when the name or a schema cannot be used, or there is no metadata or no handler
 */
export function createTool<Input extends Schema, Output extends Schema | undefined = undefined>(
  definition: ToolDefinition<Input, Output>,
  foreign?: ForeignSchemas,
): Tool {
  assertMetadata(definition)
  const { exactNumbers = false } = definition
  const { inputSchema, outputSchema, ...about } = definition.metadata
  const { name } = about
  if (typeof name !== 'string' || !toolName.test(name)) {
    throw new Error(`expected a tool name of 1 to 128 of A-Z a-z 0-9 _ - . and got ${JSON.stringify(name)}`)
  }
  assertFunction(`tool ${name}`, definition, 'handler')
  const unchecked =
    foreign &&
    (({ pattern, why }: UncheckedPattern) =>
      foreign.log.warn('a pattern of a schema is not checked', { tool: name, pattern: pattern.slice(0, 100), why }))
  const input = compileSchema(inputSchema, `inputSchema of tool ${name}`, 'input', unchecked)
  const output =
    outputSchema && compileSchema<Schema>(outputSchema, `outputSchema of tool ${name}`, 'output', unchecked)
  if (exactNumbers && [inputSchema, outputSchema].some((schema) => schema !== undefined && isZodSchema(schema))) {
    throw new Error(`expected JSON Schemas for tool ${name}, because it has exactNumbers, and got one of zod`)
  }
  const listed = { ...about, inputSchema: input.json, ...(output && { outputSchema: output.json }) }

  function answer(
    checked: CheckedValue<SchemaOutput<Input>>,
    context: RequestContext,
    exact: JsonObject | undefined,
  ): ToolOutcome | Promise<ToolOutcome> {
    if (checked.kind === 'invalid') {
      return {
        kind: 'refused',
        reason: describeProblems(`The arguments do not match the schema of ${name}`, checked.problems),
      }
    }
    // A JSON Schema changes nothing, so the exact value matches it as well.
    const args = exactNumbers && exact !== undefined ? (exact as SchemaOutput<Input>) : checked.value
    return andThen(definition.handler(args, context), (given) =>
      andThen(finishAnswer(given, output, { name, exactNumbers, exchange: context.exchange }), (result) => ({
        kind: 'answered',
        result,
      })),
    )
  }

  return {
    name,
    listed,
    exactNumbers,
    call: (given, context, exact) => andThen(input.check(given ?? {}), (checked) => answer(checked, context, exact)),
  }
}
