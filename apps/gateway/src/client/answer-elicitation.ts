import { isJsonObject, type JsonObject, type JsonValue } from '@junctor/jsonrpc'
import type { Questions } from '../report/questions.ts'
import { typedValue, typesOf } from './typed-value.ts'

/** What a tool wants to know of whoever uses it. */
export interface Elicitation {
  readonly message: string
  readonly mode?: string | undefined
  readonly requestedSchema?: unknown
}

/** What is answered. */
export type ElicitationAnswer =
  | { readonly action: 'accept'; readonly content: Record<string, string | number | boolean | string[]> }
  | { readonly action: 'decline' | 'cancel' }

/** Asks for each member of a form. The end of the answers cancels; what may be left out is left out by an empty line. */
export async function answerElicitation(
  { message, mode, requestedSchema }: Elicitation,
  questions: Questions,
): Promise<ElicitationAnswer> {
  if (mode === 'url' || !isJsonObject(requestedSchema)) return { action: 'decline' }
  const { properties, required } = requestedSchema
  const needed = Array.isArray(required) ? required : []
  questions.say(`\nThe tool asks: ${message}`)
  const content: Record<string, JsonValue> = {}
  for (const [name, schema] of Object.entries(isJsonObject(properties) ? properties : {})) {
    // One question after the other.
    // oxlint-disable-next-line no-await-in-loop
    const answer = await askMember(name, isJsonObject(schema) ? schema : {}, needed.includes(name), questions)
    if (answer === undefined) return { action: 'cancel' }
    if (answer.value !== undefined) content[name] = answer.value
  }
  return { action: 'accept', content: content as Record<string, string> }
}

/** `undefined`: there are no more answers. */
async function askMember(
  name: string,
  schema: JsonObject,
  needed: boolean,
  questions: Questions,
): Promise<{ readonly value: JsonValue | undefined } | undefined> {
  const { title, description, default: usual, enum: choices } = schema
  const told = typeof description === 'string' ? ` (${description})` : ''
  const listed = Array.isArray(choices) ? `, one of ${choices.join(', ')}` : ''
  const question = `${typeof title === 'string' ? title : name}${told}${listed}${needed ? ':' : ', if you like:'}`
  const otherwise = usual === undefined ? '' : typeof usual === 'string' ? usual : JSON.stringify(usual)
  for (;;) {
    // oxlint-disable-next-line no-await-in-loop
    const answer = await questions.ask(question, otherwise)
    if (answer === undefined) return undefined
    if (answer === '' && !needed) return { value: undefined }
    const typed = typedValue(answer, schema)
    if (typed.kind === 'value' && isAllowed(typed.value, schema)) return typed
    questions.say(`expected ${typed.kind === 'bad' ? typed.expected : `one of ${JSON.stringify(choices)}`}`)
  }
}

function isAllowed(value: JsonValue, { enum: choices, ...schema }: JsonObject): boolean {
  if (value === '' && typesOf(schema)?.includes('string') === true && schema['minLength'] !== undefined) return false
  return !Array.isArray(choices) || choices.includes(value)
}
