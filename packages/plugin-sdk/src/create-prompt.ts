import { andThen } from '@junctor/primitives'
import type { JsonObject } from '@junctor/jsonrpc'
import type { Complete } from './completion.ts'
import type { Content } from './content.ts'
import { assertFunction, assertName, invalidAnswer } from './misused.ts'
import type { RequestContext } from './request-context.ts'

/** An argument of a prompt. Values are text. */
export interface PromptArgument {
  readonly title?: string
  readonly description?: string
  /** Default: false. */
  readonly required?: boolean
  /** Proposes values while a person types. */
  readonly complete?: Complete
}

/** The arguments of a prompt by name, in the order in which a client asks for them. */
export type PromptArguments = Readonly<Record<string, PromptArgument>>

/** What a handler receives: required arguments are text, other arguments may be undefined. */
export type PromptInput<Arguments extends PromptArguments> = {
  readonly [Name in keyof Arguments]: Arguments[Name] extends { readonly required: true } ? string : string | undefined
}

/** One message of a prompt (specification: PromptMessage). */
export interface PromptMessage {
  readonly role: 'user' | 'assistant'
  readonly content: Content
}

/** The answer of a prompt: the text of one user message, or a conversation. */
export type PromptAnswer = string | readonly PromptMessage[]

/** A prompt, as its author writes it. */
export interface PromptDefinition<Arguments extends PromptArguments> {
  readonly name: string
  readonly title?: string
  readonly description: string
  readonly arguments?: Arguments
  readonly _meta?: JsonObject
  /** Makes the messages. What it throws becomes an error with the message, but never the stack. */
  readonly handler: (input: PromptInput<Arguments>, context: RequestContext) => PromptAnswer | Promise<PromptAnswer>
}

/** A prompt, ready to be offered by a backend. */
export interface Prompt {
  readonly name: string
  /** What `prompts/list` shows. */
  readonly listed: object
  readonly arguments: PromptArguments
  /** Describes what is wrong with the arguments; `undefined` when they are valid. */
  faultIn(input: JsonObject): string | undefined
  /** The result of `prompts/get`. Throws what the handler throws. */
  get(input: JsonObject, context: RequestContext): object | Promise<object>
}

/**
 * Makes a prompt.
 *
 * @throws Error when there is no name or no handler, or the arguments are a list
 */
export function createPrompt<const Arguments extends PromptArguments>(definition: PromptDefinition<Arguments>): Prompt {
  assertName('createPrompt({ name, description, arguments, handler })', definition)
  const { handler, arguments: known = {}, ...about } = definition
  assertFunction(`prompt ${definition.name}`, definition, 'handler')
  if (Array.isArray(known)) {
    const expected = `the arguments of prompt ${definition.name} as an object: { style: { required: true } }`
    throw new Error(`expected ${expected}, got a list`)
  }
  const entries: readonly (readonly [string, PromptArgument])[] = Object.entries(known)
  return {
    name: definition.name,
    listed: { ...about, arguments: entries.map(([name, { complete: _complete, ...shown }]) => ({ name, ...shown })) },
    arguments: known,
    faultIn: (input) => faultIn(entries, input),
    get: (input, context) =>
      andThen(handler(input as PromptInput<Arguments>, context), (answer) => ({
        description: definition.description,
        messages: toMessages(definition.name, answer),
      })),
  }
}

function faultIn(known: readonly (readonly [string, PromptArgument])[], input: JsonObject): string | undefined {
  const missing = known.filter(([name, { required }]) => required === true && input[name] === undefined)
  if (missing.length > 0) return `expected arguments ${missing.map(([name]) => JSON.stringify(name)).join(', ')}`
  const odd = Object.entries(input).find(([, value]) => value !== undefined && typeof value !== 'string')
  if (odd !== undefined) return `expected text for argument ${JSON.stringify(odd[0])}, got ${JSON.stringify(odd[1])}`
  return undefined
}

function toMessages(name: string, answer: PromptAnswer): readonly PromptMessage[] {
  if (typeof answer !== 'string' && !Array.isArray(answer)) {
    throw invalidAnswer(`prompt ${name}`, 'text or a list of messages', answer)
  }
  return typeof answer === 'string' ? [{ role: 'user', content: { type: 'text', text: answer } }] : answer
}
