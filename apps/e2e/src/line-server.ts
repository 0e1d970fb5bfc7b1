import { readLines } from './read-lines.ts'

/** A message of the client. */
export interface ClientMessage {
  readonly id?: number | string
  readonly method?: string
  readonly params?: {
    readonly name?: string
    readonly arguments?: Readonly<Record<string, unknown>>
    readonly _meta?: Readonly<Record<string, unknown>>
    readonly reason?: unknown
  }
  readonly result?: unknown
  readonly error?: unknown
}

/** Writes a message to the client. */
export function say(message: object): void {
  process.stdout.write(`${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`)
}

/** Sends the result that `answer` gives for a request. Undefined: the request stays open. */
export async function respond(
  message: ClientMessage,
  answer: (message: ClientMessage) => Promise<object | undefined>,
): Promise<void> {
  const result = await answer(message)
  if (result !== undefined) say({ id: message.id, result })
}

/** An MCP server by hand on the standard streams of its process: it starts in a quarter of the time of a library. */
export interface LineServer {
  /** Sends a request to the client. Resolves with its response. */
  readonly ask: (method: string, params?: object) => Promise<ClientMessage>
  /** Passes requests and notifications of the client on, until its input ends. */
  readonly serve: (take: (message: ClientMessage) => void) => Promise<void>
}

/** Reads nothing before `serve` is called. Responses to `ask` arrive only while `serve` runs. */
export function createLineServer(): LineServer {
  const waiting = new Map<string, (message: ClientMessage) => void>()
  let asked = 0
  return {
    ask(method, params = {}) {
      const id = `ask ${asked++}`
      say({ id, method, params })
      return new Promise((resolve) => void waiting.set(id, resolve))
    },
    async serve(take) {
      for await (const line of readLines(process.stdin)) {
        const message = JSON.parse(line) as ClientMessage
        if (message.method !== undefined) take(message)
        else {
          waiting.get(String(message.id))?.(message)
          waiting.delete(String(message.id))
        }
      }
    },
  }
}
