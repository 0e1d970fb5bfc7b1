import { existsSync, mkdirSync, writeFileSync } from 'node:fs'
import { resolve } from 'node:path'
import type { KnownDocument } from './known-documents.ts'

/** The file of a known document, downloaded when it is not there; or why it cannot be had. */
export async function fileOf({
  name,
  url,
}: KnownDocument): Promise<{ readonly file: string } | { readonly lacks: string }> {
  const folder = resolve(import.meta.dirname, '../../../.cache/openapi')
  const file = resolve(folder, `${name}.json`)
  if (existsSync(file)) return { file }
  try {
    const response = await fetch(url, { signal: AbortSignal.timeout(60_000) })
    if (!response.ok) return { lacks: `${url} was answered with HTTP ${response.status}` }
    mkdirSync(folder, { recursive: true })
    writeFileSync(file, await response.text())
    return { file }
  } catch (error) {
    // What `fetch` throws has its reason as cause.
    const cause: unknown = error instanceof Error ? (error.cause ?? error) : error
    return { lacks: `${url}: ${cause instanceof Error ? cause.message : 'no answer'}` }
  }
}
