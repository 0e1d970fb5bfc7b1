import { type JsonObject, isJsonObject, type JsonValue } from '@junctor/plugin-sdk/link'
import type { OpenApiDocument } from './document.ts'
import type { DocumentSource } from './document-source.ts'
import { parseText } from './parse-document.ts'
import { visitObjects } from './visit-objects.ts'

/** The most other files of one document. That of DigitalOcean has 2,849. */
const mostFiles = 5_000

/**
 * Brings what a document refers to in other files into it, so that all references are within it. A file that cannot be
 * read is reported where it is used.
 */
export async function loadReferences(
  root: JsonObject,
  version: OpenApiDocument['version'],
  source: DocumentSource,
): Promise<OpenApiDocument> {
  if (!hasOutsideReference(root)) return { root, version, unread: new Map() }
  const failures = new Map<string, string>()
  let files = 0
  const exec = async (target: string) => {
    files += 1
    const read =
      files > mostFiles ? { kind: 'failed' as const, why: 'there are too many files' } : await source.readOther(target)
    const parsed = read.kind === 'text' ? parseText(read.text) : undefined
    if (parsed?.kind === 'value') return { ok: true as const, data: parsed.value, raw: '' }
    failures.set(target, read.kind === 'failed' ? read.why : (parsed?.problem ?? 'it is empty'))
    // The library would print a warning to the console; a text has no members, so that references into it are broken.
    return { ok: true as const, data: `unread: ${target}`, raw: '' }
  }
  const { bundle } = await import('@scalar/json-magic/bundle')
  const bundled = await bundle(structuredClone(root) as Record<string, unknown>, {
    treeShake: false,
    origin: source.origin,
    plugins: [{ type: 'loader', validate: () => true, exec }],
  })
  const whole = bundled as JsonObject
  return { root: whole, version, unread: unreadReferences(whole, failures) }
}

/** Why references into the placeholders of files that could not be read are broken. */
function unreadReferences(root: JsonObject, failures: ReadonlyMap<string, string>): ReadonlyMap<string, string> {
  const placeholders = new Map<string, string>(
    Object.entries(isJsonObject(root['x-ext']) ? root['x-ext'] : {}).flatMap(([key, value]) => {
      const target = typeof value === 'string' ? /^unread: (.*)$/s.exec(value)?.[1] : undefined
      return target === undefined ? [] : [[`#/x-ext/${key}`, `${target}: ${failures.get(target) ?? ''}`] as const]
    }),
  )
  const found = new Map<string, string>()
  if (placeholders.size === 0) return found
  visit(root, (reference) => {
    const [base = ''] = /^#\/x-ext\/[^/]+/.exec(reference) ?? []
    const why = placeholders.get(base)
    if (why !== undefined) found.set(reference, why)
  })
  return found
}

function hasOutsideReference(root: JsonObject): boolean {
  let found = false
  visit(root, (reference) => {
    found ||= !reference.startsWith('#')
  })
  return found
}

function visit(root: JsonValue, each: (reference: string) => void): void {
  visitObjects(root, ({ $ref: reference }) => {
    if (typeof reference === 'string') each(reference)
  })
}
