import type { JsonObject } from '@junctor/plugin-sdk/link'
import type { DeclaredAnswers } from '../operations/answers.ts'
import type { Definitions } from '../schema/definitions.ts'

/** Characters of the schemas that the answers of one tool refer to. */
const definitionsBudget = 12_000

/** Characters of the schema of an answer without those that it refers to. */
const largest = 24_000

/** The member that holds an answer that is not an object: structured content is always one. */
export const resultMember = 'result'

/**
 * The schema of a tool's structured content; `undefined` when no answer is declared to be JSON. An API may answer
 * otherwise than its document says, and a client that checks would then throw the answer away. So the schema shows
 * what is declared, and accepts any other object beside it.
 *
 * @throws DocumentProblem for a broken reference
 */
export function outputSchema({ schemas }: DeclaredAnswers, definitions: Definitions): JsonObject | undefined {
  if (schemas.length === 0) return undefined
  const declared = schemas
    .map(({ schema, pointer }) => asObject(definitions.convert(schema, pointer), definitions))
    .filter((schema) => JSON.stringify(schema).length <= largest)
  if (declared.length === 0) return { type: 'object' }
  const otherwise = { description: 'What the API answers otherwise than its document says' }
  return definitions.complete({ type: 'object', anyOf: [...declared, otherwise] }, definitionsBudget)
}

/** The schema of the object in which an answer is given. */
function asObject(schema: JsonObject, definitions: Definitions): JsonObject {
  if (!definitions.refusesObjects(schema)) return schema
  return { type: 'object', properties: { [resultMember]: schema }, required: [resultMember] }
}
