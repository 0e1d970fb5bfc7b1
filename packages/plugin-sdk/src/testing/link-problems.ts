import { isDeepStrictEqual } from 'node:util'
import type { Backend, ListKind } from '@junctor/contracts'
import { isJsonObject } from '@junctor/jsonrpc'
import { asSent } from './as-sent.ts'
import { openLink, type OpenedLink, type OpenOptions } from './open-backend.ts'
import { RequestError } from './request-error.ts'
import { requestsOn } from './requests-on.ts'
import { soon } from './soon.ts'
import type { TestClient } from './test-client.ts'

/** How long a closed link may take to resolve `closed`, in milliseconds. */
const closingMs = 1000

const kinds = ['tools', 'resources', 'resourceTemplates', 'prompts'] as const

/** Checks what a link says about its server. */
export function serverProblems({ server }: Pick<TestClient, 'server'>): readonly string[] {
  const { capabilities, info } = server as unknown as Readonly<Record<string, unknown>>
  const revision: string = server.revision
  return [
    ...(/^\d{4}-\d\d-\d\d$/.test(revision) ? [] : [`server: expected a revision of MCP, got ${revision}`]),
    ...(isJsonObject(capabilities) ? [] : ['server: expected an object as capabilities']),
    ...(isJsonObject(info) ? [] : ['server: expected an object as info']),
  ]
}

/**
 * Checks the links of a backend: lists come twice in the same way, links do not affect each other, a closed link resolves
 * `closed` and refuses calls, an open that is no longer wanted ends.
 */
export async function linkProblems(backend: Backend, options: OpenOptions): Promise<readonly string[]> {
  const first = await soon(openLink(backend, options))
  const second = await soon(openLink(backend, options))
  if (first instanceof Error || second instanceof Error) {
    const failure = [first, second].find((opened) => opened instanceof Error)
    return [`expected two links at a time, got ${failure?.message}`]
  }
  const problems = [...(await changeProblems(first)), ...(await closedProblems(second))]
  const listed = await soon(first.link.list('tools', new AbortController().signal))
  await soon(first.link.close())
  return [
    ...problems,
    ...(listed instanceof Error ? [`expected a link to stay when another closes, got ${listed.message}`] : []),
    ...(await unwantedProblems(backend, options)),
  ]
}

/** A list may change, if clients are notified. */
async function changeProblems({ link, notifications }: OpenedLink): Promise<readonly string[]> {
  const list = async (kind: ListKind): Promise<unknown> =>
    (await link.list(kind, new AbortController().signal)).map((item) => asSent(item))
  const problems = await Promise.all(
    kinds.map(async (kind) => {
      const [before, after] = [await soon(list(kind)), await soon(list(kind))]
      const failed = [before, after].find((listed) => listed instanceof Error)
      if (failed !== undefined) return `${kind}: expected a list, empty if there are none, got ${String(failed)}`
      const isAnnounced = notifications.some(({ method }) => method.endsWith('/list_changed'))
      if (isAnnounced || isDeepStrictEqual(before, after)) return undefined
      return `${kind}: expected the same list twice, and it has changed without a notification`
    }),
  )
  return problems.filter((problem) => problem !== undefined)
}

async function closedProblems({ link, context }: OpenedLink): Promise<readonly string[]> {
  const closing = await soon(Promise.all([link.close(), link.close()]))
  if (closing instanceof Error) return [`expected a link to close, twice, got ${closing.message}`]
  const closed = await soon(
    link.closed.then((value) => ({ value })),
    closingMs,
  )
  const late = await soon(requestsOn(link, context)('tools/call', { name: 'no.such.thing', arguments: {} }))
  const isRefused = late instanceof RequestError || (isJsonObject(late) && late['isError'] === true)
  return [
    ...(closed instanceof Error ? ['expected "closed" to resolve when a link is closed'] : []),
    ...(isRefused ? [] : ['expected an error for a call on a closed link']),
  ]
}

async function unwantedProblems(backend: Backend, options: OpenOptions): Promise<readonly string[]> {
  const reason = new Error('not wanted')
  const opened = await soon(openLink(backend, options, AbortSignal.abort(reason)).catch(() => undefined))
  if (opened instanceof Error) return ['expected an open to end when its signal aborts']
  await soon(opened?.link.close() ?? Promise.resolve())
  return []
}
