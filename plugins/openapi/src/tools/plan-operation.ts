import { textOf, type OpenApiDocument } from '../document/document.ts'
import { DocumentProblem, orProblem } from '../document/document-problem.ts'
import { type DeclaredAnswers, readAnswers } from '../operations/answers.ts'
import { readBody } from '../operations/body.ts'
import { essence } from '../operations/media-type.ts'
import type { OperationEntry } from '../operations/operation-entry.ts'
import { type Parameter, readParameters } from '../operations/parameter.ts'
import { readSecurity, type SecurityScheme } from '../operations/security.ts'
import type { Definitions } from '../schema/definitions.ts'
import { argumentNames } from './argument-names.ts'
import { inputSchema } from './input-schema.ts'
import type { OperationPlan } from './operation-plan.ts'
import { outputSchema } from './output-schema.ts'

/** What all operations of a document are planned with. */
export interface PlanningParts {
  readonly document: OpenApiDocument
  readonly schemes: ReadonlyMap<string, SecurityScheme>
  readonly inputs: Definitions
  readonly outputs: Definitions
}

/** A planned operation, and what is wrong with it although it can be used. */
export interface Planned {
  readonly plan: OperationPlan
  readonly problem: DocumentProblem | undefined
}

/** The longest description of a tool, in characters. */
const longestDescription = 1500

/**
 * Plans the tool of an operation. An operation whose answers cannot be read has no output schema; its arguments must be
 * readable.
 */
export function planOperation(entry: OperationEntry, name: string, parts: PlanningParts): Planned | DocumentProblem {
  const { document, schemes, inputs, outputs } = parts
  return orProblem(() => {
    const { value, method, path, pointer, shared } = entry
    const body = readBody(document, entry)
    const sent = readParameters(document, entry).filter((parameter) => !isSentOtherwise(parameter, schemes))
    const names = argumentNames(sent, body !== undefined)
    const parameters = sent.map((parameter) => ({ argument: names.get(parameter) ?? parameter.name, parameter }))
    const answers = orProblem(() => readAnswers(document, entry))
    const output = answers instanceof DocumentProblem ? answers : outputOf(answers, outputs)
    const plan = {
      name,
      title: textOf(value['summary'])?.slice(0, 200),
      description: describe(entry),
      method,
      path,
      parameters,
      body,
      accept: answers instanceof DocumentProblem ? '*/*' : acceptOf(answers),
      security: readSecurity(document, value['security']),
      servers: value['servers'] ?? shared.servers,
      inputSchema: inputSchema(parameters, body, inputs, pointer),
      outputSchema: output instanceof DocumentProblem ? undefined : output.schema,
    }
    return { plan, problem: output instanceof DocumentProblem ? output : undefined }
  })
}

function outputOf(
  answers: DeclaredAnswers,
  outputs: Definitions,
): { readonly schema: OperationPlan['outputSchema'] } | DocumentProblem {
  return orProblem(() => ({ schema: outputSchema(answers, outputs) }))
}

/** Headers that belong to the connection or are made from other parts of the operation (OpenAPI 3.1, "Parameter Object"). */
const ownHeaders =
  /^(?:accept|authorization|content-type|content-length|connection|cookie|host|transfer-encoding|upgrade|te|trailer|expect|keep-alive|proxy-.*)$/i

/** Parameters that no client may set: those headers, and places where secrets are sent. */
function isSentOtherwise({ name, place }: Parameter, schemes: PlanningParts['schemes']): boolean {
  if (place === 'header' && ownHeaders.test(name)) return true
  return [...schemes.values()].some(
    (scheme) => scheme.kind === 'apiKey' && scheme.place === place && isSameName(scheme.name, name, place),
  )
}

function isSameName(one: string, other: string, place: Parameter['place']): boolean {
  return place === 'header' ? one.toLowerCase() === other.toLowerCase() : one === other
}

function describe({ value, method, path }: OperationEntry): string {
  const texts = [textOf(value['summary']), textOf(value['description'])].filter((text) => text !== undefined)
  const text = [...new Set(texts)].join('\n\n')
  const short = text.length > longestDescription ? `${text.slice(0, longestDescription)}…` : text
  const call = `${method} ${path}${value['deprecated'] === true ? ' (deprecated)' : ''}`
  return short === '' ? call : `${short.toWellFormed()}\n\n${call}`
}

/** The media type that is asked for wherever it is declared, or where JSON has no name. */
const plainJson = 'application/json'

/** Texts that a header can have. */
const headerText = /^[\x20-\x7e]+$/

/**
 * JSON is preferred where there is a choice, because it becomes structured content. An API that has versions as media
 * types (`application/vnd.x.v1+json`) gets the declared ones.
 */
function acceptOf({ mediaTypes, schemas }: DeclaredAnswers): string {
  const named = mediaTypes.filter((type) => headerText.test(type) && !type.includes('*'))
  const isPlain = schemas.length > 0 && (named.length === 0 || named.some((type) => essence(type) === plainJson))
  const types = isPlain ? [plainJson] : named
  return types.length === 0 ? '*/*' : `${types.join(', ')}, */*;q=0.5`
}
