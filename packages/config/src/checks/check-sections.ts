import { isJsonObject, type JsonObject } from '@junctor/jsonrpc'
import * as z from 'zod'
import { type ForeignSection, foreignSections } from '../backends/foreign-sections.ts'
import { fieldNotes } from '../findings/field-notes.ts'
import { findingsFromIssues, unknownWord } from '../findings/from-issues.ts'
import type { Finding } from '../problem.ts'
import { type Sections, sections } from '../schema/sections.ts'
import { suggest } from '../suggest.ts'

/** The sections of a file, and all that is wrong with them. */
export interface CheckedSections {
  /** The sections without a problem. */
  readonly sections: Partial<Sections>
  /** Servers of other programs, by their section. */
  readonly foreign: Readonly<Partial<Record<ForeignSection, JsonObject>>>
  readonly findings: readonly Finding[]
}

/**
 * Checks each section separately, so that a problem in one does not hide problems in the others.
 *
 * A file with servers of another program also belongs to that program: unknown words are treated as its own then,
 * unless they look like a typing error.
 *
 * @param written the file as it is, with unreplaced references
 */
export function checkSections(file: JsonObject, written: JsonObject): CheckedSections {
  const known = Object.keys(sections)
  const foreign = foreignSections(file)
  const findings: Finding[] = Object.keys(file)
    .filter((word) => !known.includes(word) && !(foreign as readonly string[]).includes(word))
    .filter((word) => foreign.length === 0 || suggest(word, known) !== undefined)
    .map((word) => unknownWord([], word, known))
  const checked: Partial<Record<string, unknown>> = {}
  for (const [word, schema] of Object.entries(sections)) {
    const result = z.safeParse<z.ZodType>(schema, file[word])
    if (result.success) checked[word] = result.data
    else {
      const source = { path: [word], written: written[word], notes: fieldNotes(schema) }
      findings.push(...findingsFromIssues(result.error.issues, source))
    }
  }
  const servers = foreign.map((word) => [word, file[word]] as const).filter(([, section]) => isJsonObject(section))
  return { sections: checked, foreign: Object.fromEntries(servers), findings }
}
