import type { JsonObject } from '@junctor/jsonrpc'
import { Document } from 'yaml'
import { quoteStrangeSpaces } from './strange-space.ts'

/** Prints values as YAML that `readDocument` reads back unchanged. */
export function printYaml(values: JsonObject): string {
  const document = new Document(values, { aliasDuplicateObjects: false })
  quoteStrangeSpaces(document)
  return document.toString({ lineWidth: 0 })
}
