import { setImmediate } from 'node:timers/promises'
import { JunctorError } from '@junctor/plugin-sdk/link'
import type { OpenApiConfig } from './config.ts'
import type { OpenApiDocument } from './document/document.ts'
import { DocumentProblem } from './document/document-problem.ts'
import type { DocumentSource } from './document/document-source.ts'
import { createLineFinder } from './document/line-of.ts'
import { loadReferences } from './document/load-references.ts'
import { parseDocument } from './document/parse-document.ts'
import { chooseOperations, describeTags } from './operations/choose-operations.ts'
import { nameOperations } from './operations/name-operations.ts'
import { type OperationEntry, operationEntries } from './operations/operation-entry.ts'
import { readSchemes, type SecurityScheme } from './operations/security.ts'
import { Definitions } from './schema/definitions.ts'
import { openedSchemas } from './schema/opened-schemas.ts'
import type { OperationPlan } from './tools/operation-plan.ts'
import { planOperation } from './tools/plan-operation.ts'

/** What was read from a document. */
export interface ReadApi {
  readonly document: OpenApiDocument
  readonly schemes: ReadonlyMap<string, SecurityScheme>
  readonly plans: readonly OperationPlan[]
  /** Parts that are not used, one line each: `billing.json:12: GET /invoices: …`. */
  readonly findings: readonly string[]
}

/** Operations that are planned in one turn of the event loop. */
const atOnce = 20

/**
 * Reads the text of a document and plans the tools of the chosen operations.
 *
 * @throws JunctorError `CONFIG_INVALID` when the text is not a document that can be used, or no operation is chosen
 */
export async function readApi(text: string, source: DocumentSource, config: OpenApiConfig): Promise<ReadApi> {
  const lineOf = createLineFinder(text)
  const place = (pointer: string): string => {
    const line = lineOf(pointer)
    return `${source.shown}${line === undefined ? '' : `:${line}`}`
  }
  const parsed = parseDocument(text)
  if (parsed.kind === 'refused') {
    const { at, problem } = parsed
    const where = typeof at === 'number' ? `${source.shown}:${at}` : place(at)
    throw new JunctorError('CONFIG_INVALID', `${where}: ${problem}`)
  }
  const document = await loadReferences(parsed.root, parsed.version, source)
  const { entries, problems } = operationEntries(document)
  const chosen = chooseOperations(entries, config)
  if (chosen.length === 0)
    throw nothingChosen(
      entries,
      problems.map((problem) => `${place(problem.pointer)}: ${problem.message}`),
      source,
    )
  const offered = chosen.slice(0, config.maxTools)
  const schemes = readSchemes(document)
  const { plans, found } = await planAll(document, entries, offered, schemes)
  const findings = [...problems.map((problem) => ({ what: '', problem })), ...found].map(
    ({ what, problem }) => `${place(problem.pointer)}: ${what}${problem.message}`,
  )
  const left = chosen.length - offered.length
  const tooMany = `${left} of ${chosen.length} operations have no tool: the most is ${config.maxTools} ("maxTools"). Choose with "include", for example by tags: ${describeTags(chosen)}`
  return { document, schemes, plans, findings: left > 0 ? [tooMany, ...findings] : findings }
}

async function planAll(
  document: OpenApiDocument,
  entries: readonly OperationEntry[],
  offered: readonly OperationEntry[],
  schemes: ReadApi['schemes'],
): Promise<{ plans: readonly OperationPlan[]; found: readonly { what: string; problem: DocumentProblem }[] }> {
  // Names do not depend on what is chosen, so that another choice renames no tool.
  const names = nameOperations(entries)
  const opened = openedSchemas(document)
  const inputs = new Definitions(document, 'input', opened)
  const outputs = new Definitions(document, 'output', opened)
  const plans: OperationPlan[] = []
  const found: { what: string; problem: DocumentProblem }[] = []
  for (const [index, entry] of offered.entries()) {
    // oxlint-disable-next-line no-await-in-loop -- a large document must not stop everything else for a second
    if (index % atOnce === atOnce - 1) await setImmediate()
    const call = `${entry.method} ${entry.path}`
    const planned = planOperation(entry, names.get(entry) ?? '', { document, schemes, inputs, outputs })
    if (planned instanceof DocumentProblem) found.push({ what: `${call} has no tool: `, problem: planned })
    else {
      plans.push(planned.plan)
      if (planned.problem !== undefined)
        found.push({ what: `${call} has no output schema: `, problem: planned.problem })
    }
  }
  for (const problem of [...inputs.problems, ...outputs.problems])
    found.push({ what: 'a schema accepts any value: ', problem })
  return { plans, found }
}

function nothingChosen(
  entries: readonly OperationEntry[],
  problems: readonly string[],
  { shown }: DocumentSource,
): JunctorError {
  if (entries.length === 0) {
    const why = problems.length === 0 ? '' : `: ${problems.slice(0, 3).join('; ')}`
    return new JunctorError('CONFIG_INVALID', `${shown} has no operations that can be used${why}`)
  }
  const tags = describeTags(entries)
  const has = `It has ${entries.length} operations${tags === '' ? '' : `, with the tags ${tags}`}`
  return new JunctorError('CONFIG_INVALID', `"include" and "exclude" leave no operation of ${shown}. ${has}`)
}
