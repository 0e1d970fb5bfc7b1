/**
 * A server written by hand: it reads and writes text, so that no parser changes anything in between. Has all tools that
 * `describeBackend` uses, and `exit`, which ends the process, `cancellations`, which returns the cancellations so far, and
 * `declared`, which returns the client's capabilities.
 */
export interface RawServer {
  /** Handles one message. Answers through `send`. */
  take(text: string): void
}

interface Incoming {
  readonly id?: number | string
  readonly method?: string
  readonly params?: {
    readonly name?: string
    readonly arguments?: { readonly text?: string }
    readonly _meta?: { readonly progressToken?: number }
    readonly cursor?: string
    readonly protocolVersion?: string
    readonly capabilities?: object
  }
  readonly result?: { readonly content?: { readonly name?: string } }
}

const tools = ['echo', 'steps', 'wait', 'ask', 'log', 'mirror', 'exit', 'cancellations', 'declared'] as const

/**
 * Creates a server with the state of one connection.
 *
 * @param send takes each message as text, without a newline
 */
export function createRawServer(send: (text: string) => void): RawServer {
  const asked = new Map<string, number | string>()
  const cancelled: unknown[] = []
  let declared: object | undefined
  let lastAsk = 0

  const say = (message: object): void => send(JSON.stringify({ jsonrpc: '2.0', ...message }))
  const answer = (id: number | string, text: unknown): void =>
    say({ id, result: { content: [{ type: 'text', text }] } })

  const callTool = (id: number | string, { params = {} }: Incoming, text: string): void => {
    const { name, arguments: args = {}, _meta = {} } = params
    switch (name) {
      case 'echo':
        return answer(id, args.text)
      case 'steps':
        for (const progress of _meta.progressToken === undefined ? [] : [1, 2, 3]) {
          say({ method: 'notifications/progress', params: { progressToken: _meta.progressToken, progress } })
        }
        return answer(id, 'done')
      case 'wait':
        return undefined
      case 'ask':
        lastAsk += 1
        asked.set(`ask-${lastAsk}`, id)
        return say({ id: `ask-${lastAsk}`, method: 'elicitation/create', params: { message: args.text } })
      case 'log':
        say({ method: 'notifications/message', params: { level: 'info', data: args.text } })
        return answer(id, 'logged')
      case 'mirror':
        // Params are the last member in the messages of Junctor.
        return send(
          `{"jsonrpc":"2.0","id":${id},"result":{"received":${text.slice(text.indexOf('"params":') + 9, -1)}}}`,
        )
      case 'cancellations':
        return answer(id, JSON.stringify(cancelled))
      case 'declared':
        return answer(id, JSON.stringify(declared))
      case 'exit':
        return process.exit(7)
      case undefined:
      default:
        return say({ id, error: { code: -32602, message: `Unknown tool: ${name}`, data: { known: tools } } })
    }
  }

  return {
    take(text) {
      const message = JSON.parse(text) as Incoming
      const { id, method, params } = message
      if (method === undefined) {
        const caller = asked.get(String(id))
        if (caller !== undefined) answer(caller, message.result?.content?.name)
      } else if (method === 'notifications/cancelled') cancelled.push(params)
      else if (id === undefined) return
      else if (method === 'initialize') {
        declared = params?.capabilities
        const serverInfo = { name: 'raw', version: '1', 'x-own': true }
        const capabilities = { tools: {}, logging: {}, resources: {} }
        say({ id, result: { protocolVersion: params?.protocolVersion, capabilities, serverInfo } })
      } else if (method === 'ping') say({ id, result: {} })
      else if (method === 'tools/list') {
        // One on each page.
        const at = Number(params?.cursor ?? 0)
        const nextCursor = at + 1 < tools.length ? String(at + 1) : undefined
        say({ id, result: { tools: [{ name: tools[at], inputSchema: { type: 'object' } }], nextCursor } })
      } else if (method === 'tools/call') callTool(id, message, text)
      else if (method === 'resources/list') say({ id, result: { resources: [] } })
      else if (method === 'resources/subscribe') say({ id, result: {} })
      else say({ id, error: { code: -32601, message: 'Method not found' } })
    },
  }
}
