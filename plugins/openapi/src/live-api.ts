import { createBackend, type LocalBackend, type Log } from '@junctor/plugin-sdk'
import { createHttpClient, type HttpClient } from '@junctor/plugin-sdk/http'
import { JunctorError } from '@junctor/plugin-sdk/link'
import { type ApiTools, createApiTools, hostOf } from './api-tools.ts'
import type { OpenApiBackendOptions } from './backend-options.ts'
import type { OpenApiConfig } from './config.ts'
import { textOf } from './document/document.ts'
import { digestOf } from './document/digest-of.ts'
import { type DocumentSource, documentSource, isUrl } from './document/document-source.ts'
import { followDocument } from './document/follow-document.ts'
import { type ReadApi, readApi } from './read-api.ts'

/** An API whose tools follow its document. */
export interface LiveApi {
  readonly backend: LocalBackend
  close(): Promise<void>
}

/** Milliseconds in which a document must arrive. */
const documentTimeoutMs = 30_000

/** Milliseconds of a call: the gateway's own deadline, which ends a call by its signal, is shorter. */
const longestCallMs = 24 * 60 * 60 * 1000

/** Findings that are named in a line of the log. */
const mostFindings = 10

/**
 * Reads the document and offers its operations. When the document changes, so do the tools; a change that cannot be used
 * is logged, and the earlier tools stay.
 *
 * @throws JunctorError `CONFIG_INVALID` for a document that cannot be used, `BACKEND_UNREACHABLE` for one that cannot be
 *   read
 * @param found called with the parts of each document that are not used, one line each
 * @param closing aborts when the API is about to close: no document is waited for any more
 */
export async function openLiveApi(
  { name, config, log, folder }: OpenApiBackendOptions,
  found: (findings: readonly string[]) => void,
  closing: AbortSignal,
): Promise<LiveApi> {
  const named = [
    ...(isUrl(config.openapi) ? [config.openapi] : []),
    ...(config.baseUrl === undefined ? [] : [config.baseUrl]),
  ]
  const clients = createClients(named.map((url) => hostOf(new URL(url))))
  const http = createReader(clients.allowed, closing)
  const source = documentSource(config.openapi, folder, { http, headers: config.headers })

  let current: readonly string[] = []
  /** The digest of what the tools in use were made from. */
  let used = ''
  function use({ api, digest }: DigestedApi): ApiTools['tools'] {
    const made = createApiTools(api, { config, source, log, clientFor: clients.clientFor })
    current = [...api.findings, ...made.findings]
    used = digest
    report(current, log)
    found(current)
    return made.tools
  }

  const close = async (): Promise<void> => {
    await Promise.all([http.close(), clients.close()])
  }
  try {
    const text = await firstText(source)
    const first = await readDigested(text, source, config)
    const backend = createBackend({ name, tools: use(first), log, ...aboutApi(first.api) })
    const follower = followDocument(source, text, config.refreshSeconds * 1000, {
      changed: async (changed) => {
        const next = await readDigested(changed, source, config)
        // Nothing has changed, or a mistake is gone.
        if (next.digest === used) return found(current)
        const tools = use(next)
        backend.replace({ tools })
        log.info('the document has changed', { tools: tools.length })
      },
      failed: (error) => {
        log.warn('the changed document is not used; the earlier tools stay', { error })
        found([`the changed document is not used: ${messageOf(error)}`, ...current])
      },
    })
    return {
      backend,
      async close() {
        await follower.close()
        await backend.close()
        await close()
      },
    }
  } catch (error) {
    await close()
    throw error
  }
}

/** Reads documents until it is closed, or the API is about to close. */
function createReader(allowed: readonly string[], closing: AbortSignal): HttpClient {
  closing.throwIfAborted()
  const http = createHttpClient({ allowed, timeoutMs: documentTimeoutMs })
  const stop = (): void => void http.close()
  closing.addEventListener('abort', stop)
  return {
    request: (url, request) => http.request(url, request),
    close() {
      closing.removeEventListener('abort', stop)
      return http.close()
    },
  }
}

interface DigestedApi {
  readonly api: ReadApi
  /** Of the text, and of all files and URLs that it refers to. */
  readonly digest: string
}

async function readDigested(text: string, source: DocumentSource, config: OpenApiConfig): Promise<DigestedApi> {
  const api = await readApi(text, source, config)
  return { api, digest: JSON.stringify([digestOf(text), ...source.others]) }
}

/** The message without the code at its start. */
function messageOf(error: unknown): string {
  return error instanceof Error ? error.message.replace(/^\[[A-Z_]+\] /, '') : String(error)
}

async function firstText(source: DocumentSource): Promise<string> {
  const read = await source.read()
  if (read.kind === 'text') return read.text
  const why = read.kind === 'failed' ? read.why : 'it was answered with HTTP 304'
  // A file that is not there is a mistake of the configuration; a server may come back.
  const code = source.url === undefined ? 'CONFIG_INVALID' : 'BACKEND_UNREACHABLE'
  throw new JunctorError(code, `${source.shown} cannot be read: ${why}`)
}

function aboutApi({ document }: ReadApi): { info: { name: string; version: string }; instructions?: string } {
  const info = document.root['info']
  const about = typeof info === 'object' && info !== null && !Array.isArray(info) ? info : {}
  const title = textOf((about as Record<string, never>)['title']) ?? 'OpenAPI'
  const version = textOf((about as Record<string, never>)['version']) ?? '0.0.0'
  const description = textOf((about as Record<string, never>)['description'])?.slice(0, 1000)
  return {
    info: { name: title, version },
    ...(description !== undefined && { instructions: `${title}: ${description}` }),
  }
}

function report(findings: readonly string[], log: Log): void {
  if (findings.length === 0) return
  const more = findings.length - mostFindings
  const shown = [...findings.slice(0, mostFindings), ...(more > 0 ? [`and ${more} more`] : [])]
  log.warn('parts of the document are not used', { count: findings.length, findings: shown })
}

/** The clients of calls: one for each set of hosts that may be private. A change of the document closes none. */
function createClients(named: readonly string[]) {
  const clients = new Map<string, HttpClient>()
  return {
    allowed: named,
    clientFor: (hosts: readonly string[]): HttpClient => {
      const allowed = [...new Set([...named, ...hosts])].toSorted()
      const key = allowed.join(' ')
      const client = clients.get(key) ?? createHttpClient({ allowed, timeoutMs: longestCallMs })
      clients.set(key, client)
      return client
    },
    close: () => Promise.all([...clients.values()].map((client) => client.close())),
  }
}
