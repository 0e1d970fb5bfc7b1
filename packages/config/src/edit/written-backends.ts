import { isJsonObject } from '@junctor/jsonrpc'
import { foreignSections } from '../backends/foreign-sections.ts'
import { legalName } from '../backends/legal-name.ts'
import { asYaml } from '../document/blank-comments.ts'
import { readDocument } from '../document/document.ts'

/**
 * All backends that a text has, by name and as they are written, also when their configuration has problems. `undefined`:
 * the text cannot be parsed.
 */
export function writtenBackends(text: string, file: string): ReadonlyMap<string, unknown> | undefined {
  const read = readDocument(asYaml(text, file))
  if (read.kind === 'unreadable') return undefined
  const { value } = read.document
  if (!isJsonObject(value)) return new Map()
  const { backends } = value
  const own = isJsonObject(backends) ? Object.entries(backends) : []
  const foreign = foreignSections(value).flatMap((word) => {
    const section = value[word]
    return isJsonObject(section)
      ? Object.entries(section).map(([name, written]) => [legalName(name), written] as const)
      : []
  })
  return new Map([...foreign, ...own])
}
