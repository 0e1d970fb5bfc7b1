import { readFileSync } from 'node:fs'
import type { Failure } from '@junctor/command'
import { isJsonObject, type JsonObject, type JsonValue } from '@junctor/jsonrpc'
import { parse } from 'yaml'
import { failed } from '../report/failed.ts'

/** The words of `junctor backend add` and `change` that describe the backend. */
export interface EntryWords {
  /** A file with its description, or `-` for standard input. */
  readonly from?: string
  /** The variable that holds the token for the backend. */
  readonly bearerEnv?: string
  readonly prefix?: string
  readonly tenant?: readonly string[]
}

/** The description of a backend for the admin port, or why there is none. */
export type ReadEntry =
  | { readonly kind: 'entry'; readonly entry: JsonObject }
  | { readonly kind: 'failed'; readonly failure: Failure }

/** The largest description, in characters: more than the admin port takes. */
const mostCharacters = 1024 * 1024

/** Makes the description of a backend from the words of a command. The other words replace what the file says. */
export function readEntry(
  verb: 'add' | 'change',
  url: string | undefined,
  { from, bearerEnv, prefix, tenant }: EntryWords,
  env: NodeJS.ProcessEnv,
): ReadEntry {
  const file = from === undefined ? ({ kind: 'entry', entry: {} } as const) : entryIn(from)
  if (file.kind === 'failed') return file
  const bearer = bearerEnv === undefined ? undefined : env[bearerEnv]
  if (bearerEnv !== undefined && (bearer === undefined || bearer === '')) {
    return failed(`expected the variable ${bearerEnv} to be set`, `Set it before: export ${bearerEnv}=…`)
  }
  const entry = {
    ...file.entry,
    ...(url !== undefined && { url }),
    ...(bearer !== undefined && { auth: { bearer } }),
    ...(prefix !== undefined && { prefix }),
    ...(tenant !== undefined && { tenants: [...tenant] }),
  }
  if (Object.keys(entry).length > 0) return { kind: 'entry', entry }
  return failed(
    'expected a URL, or --from with a description',
    `Write: junctor backend ${verb} NAME https://mcp.example.com/mcp`,
  )
}

function entryIn(from: string): ReadEntry {
  const shown = from === '-' ? 'standard input' : from
  let text: string
  try {
    text = readFileSync(from === '-' ? 0 : from, 'utf8')
  } catch (error) {
    return failed(`${shown} cannot be read: ${(error as Error).message}`, 'Correct the path after --from.')
  }
  const next = 'Describe one backend as in the configuration file, for example: url: https://mcp.example.com/mcp'
  if (text.length > mostCharacters) return failed(`${shown} is larger than ${mostCharacters} characters`, next)
  try {
    const value = parse(text, { maxAliasCount: 0 }) as JsonValue
    return isJsonObject(value) ? { kind: 'entry', entry: value } : failed(`${shown} has no mapping`, next)
  } catch (error) {
    const [line = ''] = (error as Error).message.split('\n')
    return failed(`${shown} is neither YAML nor JSON: ${line}`, next)
  }
}
