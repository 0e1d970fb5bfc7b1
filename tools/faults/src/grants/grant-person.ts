import type { JsonObject } from '@junctor/jsonrpc'
import { PersonWithBrowser } from '@junctor/testkit'
import { postAt } from '../fuzz/post-at.ts'
import { keyOf } from './grant-nodes.ts'

/** A call of a tool, and what its client got. */
export interface GrantCall {
  readonly name: string
  readonly person: string
  /** The URL of the node. */
  readonly at: string
  /** In milliseconds of `performance.now`. */
  readonly began: number
  ended: number
  /** All messages that answer it. */
  readonly answers: JsonObject[]
}

/** A person with a program and a browser. */
export interface GrantPerson {
  readonly name: string
  readonly calls: readonly GrantCall[]
  /** Calls a tool in a session of its own. Never rejects. */
  call(url: string, tool: 'whoami' | 'connect'): Promise<GrantCall>
  /** Opens a link of the gateway, and agrees at the server. Resolves with whether that worked. */
  agree(url: string): Promise<boolean>
  /** Opens a link of the gateway, and ends the access. Resolves with whether that worked. */
  end(url: string): Promise<boolean>
}

const initialize = {
  jsonrpc: '2.0',
  id: 'open',
  method: 'initialize',
  params: { protocolVersion: '2025-11-25', capabilities: {}, clientInfo: { name: 'grants', version: '1' } },
} as const

/** Creates a person whose requests have the person's key. It keeps nothing open: each call ends its session. */
export function createGrantPerson(name: string): GrantPerson {
  const calls: GrantCall[] = []
  const own = { authorization: `Bearer ${keyOf(name)}` }

  async function call(url: string, tool: 'whoami' | 'connect'): Promise<GrantCall> {
    const id = `${name}-${calls.length}`
    const made: GrantCall = { name: id, person: name, at: url, began: performance.now(), ended: 0, answers: [] }
    calls.push(made)
    const opened = await postAt(url, initialize, { headers: own })
    const headers = { ...own, 'mcp-session-id': opened.session, 'mcp-protocol-version': '2025-11-25' }
    const params = { name: `api__${tool}`, arguments: { call: id } }
    const onMessage = (message: JsonObject): void => {
      if (message['id'] === id) made.answers.push(message)
    }
    if (opened.session !== '') {
      await postAt(url, { jsonrpc: '2.0', id, method: 'tools/call', params }, { headers, onMessage })
      made.ended = performance.now()
      await postAt(url, {}, { headers, isDelete: true })
    }
    made.ended = performance.now()
    return made
  }

  /** A link of the gateway: the tool leads to it. */
  async function link(url: string): Promise<URL | undefined> {
    const { answers } = await call(url, 'connect')
    const [found] = /http[^\s"\\]+\/connections\/api\/[^\s"\\]+/.exec(JSON.stringify(answers)) ?? []
    return found === undefined ? undefined : new URL(found)
  }

  const inBrowser = async (url: string, use: (page: URL, browser: PersonWithBrowser) => Promise<unknown>) => {
    try {
      const page = await link(url)
      if (page === undefined) return false
      await use(page, new PersonWithBrowser(name))
      return true
    } catch {
      // A node was away.
      return false
    }
  }

  return {
    name,
    calls,
    call,
    agree: (url) =>
      inBrowser(url, (page, browser) => {
        const grant = new URL('./', page).href
        return browser.authorize(page, (next) => next.href === grant)
      }),
    end: (url) =>
      inBrowser(url, async (page, browser) => {
        const { status } = await browser.show(page, { answer: 'end' })
        if (status !== 200) throw new Error(`Expected the access to end, got ${status}`)
      }),
  }
}
