import { isJsonObject } from '@junctor/jsonrpc'
import { foreignSections } from '../backends/foreign-sections.ts'
import { legalName } from '../backends/legal-name.ts'
import { blankComments } from '../document/blank-comments.ts'
import { readDocument } from '../document/document.ts'

/**
 * The names of all backends that a text has, also when their configuration has problems. `undefined`: the text cannot be
 * parsed.
 */
export function writtenBackends(text: string, file: string): readonly string[] | undefined {
  const read = readDocument(/\.jsonc?$/i.test(file) ? blankComments(text) : text)
  if (read.kind === 'unreadable') return undefined
  const { value } = read.document
  if (!isJsonObject(value)) return []
  const { backends } = value
  const own = isJsonObject(backends) ? Object.keys(backends) : []
  const foreign = foreignSections(value).flatMap((word) => {
    const section = value[word]
    return isJsonObject(section) ? Object.keys(section).map(legalName) : []
  })
  return [...own, ...foreign]
}
