import { isJsonObject, type JsonObject, type JsonValue } from '@junctor/jsonrpc'
import type { Questions } from '../report/questions.ts'
import { typedValue, typesOf } from './typed-value.ts'

/** A question of a tool to its user. */
export interface Elicitation {
  readonly message: string
  readonly mode?: string | undefined
  readonly requestedSchema?: unknown
}

/** The user's answer. */
export type ElicitationAnswer =
  | { readonly action: 'accept'; readonly content: Record<string, string | number | boolean | string[]> }
  | { readonly action: 'decline' | 'cancel' }

/** Asks the user for each member of a form. The end of input cancels. An empty line leaves out an optional member. */
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
    // oxlint-disable-next-line no-await-in-loop -- one question after the other
    const answer = await askMember(name, isJsonObject(schema) ? schema : {}, needed.includes(name), questions)
    if (answer === undefined) return { action: 'cancel' }
    if (answer.value !== undefined) content[name] = answer.value
  }
  return { action: 'accept', content: content as Record<string, string> }
}

/** `undefined`: the input has ended. */
async function askMember(
  name: string,
  schema: JsonObject,
  needed: boolean,
  questions: Questions,
): Promise<{ readonly value: JsonValue | undefined } | undefined> {
  const { title, description, default: usual, enum: choices } = schema
  const described = typeof description === 'string' ? ` (${description})` : ''
  const listed = Array.isArray(choices) ? `, one of ${choices.join(', ')}` : ''
  const question = `${typeof title === 'string' ? title : name}${described}${listed}${needed ? ':' : ', if you like:'}`
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
