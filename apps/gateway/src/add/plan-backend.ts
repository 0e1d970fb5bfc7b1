import { existsSync, readFileSync, statSync } from 'node:fs'
import { resolve } from 'node:path'
import { createHttpClient } from '@junctor/http-client'
import { isJsonObject, type JsonValue } from '@junctor/jsonrpc'
import { isFolder } from '../is-folder.ts'
import { openSecrets } from '../init/open-secrets.ts'
import { misused } from '../report/misused.ts'
import type { Questions } from '../report/questions.ts'
import type { AddOptions } from './add-options.ts'
import type { AddTarget } from './add-target.ts'
import { type FoundDocument, planDocument } from './plan-document.ts'
import type { Planned } from './planned-backend.ts'
import { findServer } from './registry/registry-client.ts'

/** What planning uses of the process around it. */
export interface PlanPlace {
  readonly folder: string
  readonly questions: Questions | undefined
  readonly isHere: (program: string) => boolean
}

/** The bounds of a document: real ones have a few kilobytes. */
const mostBytes = 1024 * 1024
const timeoutMs = 15_000

/** Turns the target of the command line into a backend. Runs nothing and writes nothing. */
export async function planBackend(target: AddTarget, options: AddOptions, place: PlanPlace): Promise<Planned> {
  if (target.kind === 'url' || target.kind === 'command') return typed(target, options, place.folder)
  if (target.kind === 'file' && options.version !== undefined) {
    return misused('--version is for servers of a registry, and a file was given', 'Leave it out.')
  }
  const allowed = target.kind === 'registered' ? [hostOf(options.registry)] : []
  const http = createHttpClient({ allowed, timeoutMs, maxBytes: mostBytes, maxRedirects: 3 })
  try {
    if (target.kind === 'file') {
      const found = readDocument(resolve(place.folder, target.file))
      return found.kind === 'misused' ? found : await planDocument(found.found, options, { ...place, http, allowed })
    }
    const asked = await findServer(http, options.registry, target.name, options.version)
    if (asked.kind === 'failed') return asked
    const found = { ...asked.server, source: options.registry, own: false }
    return await planDocument(found, options, { ...place, http, allowed })
  } finally {
    await http.close()
  }
}

function typed(target: AddTarget & { readonly kind: 'url' | 'command' }, options: AddOptions, folder: string): Planned {
  const { name } = target
  const of = target.kind === 'url' ? 'a URL' : 'a program'
  const unused = [
    ...(options.input.length > 0 ? ['--input'] : []),
    ...(options.version === undefined ? [] : ['--version']),
    ...(options.choice === undefined ? [] : ['--choice']),
  ]
  if (unused.length > 0) {
    return misused(`${unused.join(', ')} is for servers of a registry, and ${of} was given`, 'Leave it out.')
  }
  if (target.kind === 'url' && !(/^(?:https?|wss?):/i.test(target.url) && URL.canParse(target.url))) {
    return misused(
      `expected a URL such as https://mcp.example.com/mcp, got ${JSON.stringify(target.url)}`,
      'Correct it.',
    )
  }
  const program = target.kind === 'url' ? undefined : target.backend['command']
  if (typeof program === 'string' && /[\\/]/.test(program) && isFolder(resolve(folder, program))) {
    return misused(`expected a program or a server.json, got the folder ${program}`, 'Name the file that is to be run.')
  }
  const backend = target.kind === 'url' ? { url: target.url } : target.backend
  const [secret] = openSecrets(backend)
  if (secret !== undefined) {
    const message = `${secret} seems to hold a secret, and no secret is written into the file`
    return misused(message, "Put a reference in its place, in single quotes: '${env:NAME}' or '${file:path}'.")
  }
  return { kind: 'planned', plan: { name, backend, about: [], warnings: [], optional: [], others: [], pin: undefined } }
}

type ReadDocument = { readonly kind: 'found'; readonly found: FoundDocument } | (Planned & { readonly kind: 'misused' })

/** A `server.json`, or the answer of a registry with one in it. */
function readDocument(file: string): ReadDocument {
  const unusable = (why: string): ReadDocument =>
    misused(`${file}: ${why}`, 'Name a server.json, or a server of the registry.')
  if (!existsSync(file)) return misused(`there is no file ${file}`, 'Name a server.json, or a server of the registry.')
  try {
    if (statSync(file).size > mostBytes) return unusable(`expected at most ${mostBytes} bytes`)
    const value = JSON.parse(readFileSync(file, 'utf8')) as JsonValue
    const inner = isJsonObject(value) && isJsonObject(value['server']) ? value['server'] : value
    if (!isJsonObject(inner)) return unusable('expected a JSON object')
    return { kind: 'found', found: { document: inner, source: file, warning: undefined, own: true } }
  } catch (error) {
    return unusable((error as Error).message)
  }
}

function hostOf(url: string): string {
  return new URL(url).hostname.replace(/^\[|\]$/g, '').replace(/\.$/, '')
}
