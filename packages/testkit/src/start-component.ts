import { once } from 'node:events'
import type { IncomingMessage, ServerResponse } from 'node:http'
import { text } from 'node:stream/consumers'
import { startHttpServer } from './start-http-server.ts'

/** A call that a component has received. */
export interface ComponentCall {
  readonly headers: IncomingMessage['headers']
  /** The body as it came. */
  readonly body: string
  readonly response: ServerResponse
  /** Resolves when the connection of the call is closed, by either side. */
  readonly closed: Promise<unknown>
}

/** A tool behind HTTP, under the control of a test. */
export interface TestComponent {
  readonly url: string
  readonly port: number
  /** The calls so far. */
  readonly calls: readonly ComponentCall[]
  /** How often its description was read. */
  readonly reads: number
  /** What `GET /` answers: an object as JSON, text as it is. */
  description: object | string
  /** What `POST /` does. An object is sent as JSON; undefined: the function has written to `call.response` itself. */
  answer: (call: ComponentCall) => object | undefined | Promise<object | undefined>
  /** Stops listening, and closes all connections. */
  close(): Promise<void>
}

/** What a component is and does at first. */
export interface ComponentOptions {
  readonly description: TestComponent['description']
  readonly answer?: TestComponent['answer']
  /** Default: a free port. */
  readonly port?: number
}

/** Starts a tool behind HTTP on the loopback address. By default it answers with its arguments as a text. */
export async function startComponent({
  description,
  answer = repeat,
  port = 0,
}: ComponentOptions): Promise<TestComponent> {
  const calls: ComponentCall[] = []
  let reads = 0
  const server = await startHttpServer(async (request, response) => {
    if (request.method === 'GET') {
      reads += 1
      const { description: current } = component
      return response.end(typeof current === 'string' ? current : JSON.stringify(current))
    }
    const call = { headers: request.headers, body: await text(request), response, closed: once(response, 'close') }
    calls.push(call)
    const answered = await component.answer(call)
    return answered && response.end(JSON.stringify(answered))
  }, port)
  const component: TestComponent = {
    url: `${server.origin}/`,
    port: server.port,
    calls,
    get reads() {
      return reads
    },
    description,
    answer,
    close: server.close,
  }
  return component
}

function repeat({ body }: ComponentCall): object {
  return { content: [{ type: 'text', text: body }] }
}
