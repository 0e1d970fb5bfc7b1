import { mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Backend, Isolation, Link, Log, TelemetryEvent } from '@junctor/contracts'
import type { Outcome } from '@junctor/exchange'
import { createMemoryBus, createMemoryFabric } from '@junctor/fabric'
import { isJsonObject } from '@junctor/jsonrpc'
import { createRequest, programFile, recordClient, recordExchange, type RecordedExchange } from '@junctor/testkit'
import { defaultOAuthPaths } from '@junctor/plugin-sdk'
import { createCounter } from '@junctor/plugin-sdk/link'
import { createGuard } from '@junctor/transport-stdio/back'
import { createIsolatedBackend } from '../../src/plugins/isolated/isolated-backend.ts'

/** The plugin of `fixtures/unruly-plugin.ts`. */
export const unruly: string = programFile(new URL('../../fixtures/unruly-plugin.ts', import.meta.url))

/** A backend in a process of its own, and what it leaves in the node. */
export interface IsolatedUnderTest {
  readonly backend: Backend
  /** The folder of its configuration, with a file `secret`. */
  readonly folder: string
  /** The messages of its log, with their fields. */
  readonly logged: readonly string[]
  readonly events: readonly TelemetryEvent[]
  dispose(): Promise<void>
}

/** What is started, and how. `options` are those of the plugin. */
export interface IsolatedOptions {
  readonly options?: object
  readonly file?: string
  /** Default: `session`. */
  readonly isolation?: Isolation
}

/** Starts {@link unruly} or another plugin file, with 256 MB of memory. The test disposes of it. */
export async function startIsolated({
  options = {},
  file = unruly,
  isolation = 'session',
}: IsolatedOptions = {}): Promise<IsolatedUnderTest> {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), 'junctor-isolated-')))
  writeFileSync(join(folder, 'secret'), 'a secret')
  const logged: string[] = []
  const events: TelemetryEvent[] = []
  const note: Log['info'] = (message, fields) => void logged.push(`${message} ${JSON.stringify(fields)}`)
  const log: Log = { debug: note, info: note, warn: note, error: note }
  const guard = createGuard(log)
  const fabric = createMemoryFabric(createMemoryBus())
  const context = {
    name: 'unruly',
    log,
    emit: (event: TelemetryEvent) => void events.push(event),
    folder,
    site: { publicUrl: undefined, oauthPaths: defaultOAuthPaths },
    servePages: () => undefined,
    issueTokens: () => undefined,
    showAccounts: () => async () => '',
    processes: guard,
    counter: (counter: string) => createCounter('unruly', counter, (event) => void events.push(event)),
    store: fabric.store.bind(fabric),
    seal: fabric.seal,
    openCallerToken: () => undefined,
  }
  const module = { file, packageName: undefined }
  const backend = await createIsolatedBackend(module, { memoryBytes: 256 * 1024 ** 2, isolation }, options, context)
  return {
    backend,
    folder,
    logged,
    events,
    async dispose() {
      await backend.close()
      await guard.close()
      await fabric.close()
      rmSync(folder, { recursive: true })
    },
  }
}

/** Opens a link of one session. */
export function openLink(backend: Backend, session = 's_test'): Promise<Link> {
  const scope = { tenant: 'default', principal: 'p', session, capabilities: { elicitation: {} }, key: session }
  return backend.open(scope, recordClient(), new AbortController().signal)
}

const { context: sample } = recordExchange().exchange
const context = { ...sample, client: { ...sample.client, capabilities: { elicitation: {} } } }

/** Calls a tool, without waiting for it. */
export function startCall(
  link: Link,
  tool: string,
  text = '',
): RecordedExchange & { readonly outcome: Promise<Outcome> } {
  const request = createRequest('tools/call', { name: tool, arguments: { text } })
  const recorded = recordExchange({ request, init: { wantsProgress: true, context } })
  return { ...recorded, outcome: Promise.resolve(link.call(request, recorded.exchange)) }
}

/** Calls a tool. Returns its text, or the data of its error. */
export async function callText(link: Link, tool: string, text = ''): Promise<unknown> {
  return textOf(await startCall(link, tool, text).outcome)
}

/** The text of a result whose first content is a text, else the whole result. Of an error, its data. */
export function textOf(outcome: Outcome): unknown {
  if (outcome.kind !== 'complete') return outcome.kind === 'error' ? outcome.error.data?.value() : outcome
  const result = outcome.result.value()
  const [first] = isJsonObject(result) && Array.isArray(result['content']) ? result['content'] : []
  return isJsonObject(first) ? first['text'] : result
}
