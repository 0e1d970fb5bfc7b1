import { once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'

/** A call that a component has received. */
export interface ComponentCall {
  readonly headers: IncomingMessage['headers']
  /** The body as it came. */
  readonly body: string
  readonly response: ServerResponse
  /** Resolves when the connection of the call is closed, by whomever. */
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
  const receive = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    if (request.method === 'GET') {
      reads += 1
      const { description: current } = component
      return void response.end(typeof current === 'string' ? current : JSON.stringify(current))
    }
    let body = ''
    for await (const piece of request.setEncoding('utf8')) body += piece as string
    const call = { headers: request.headers, body, response, closed: once(response, 'close') }
    calls.push(call)
    const answered = await component.answer(call)
    if (answered !== undefined) response.end(JSON.stringify(answered))
  }
  const server = createServer((request, response) => {
    // A test that ends the connection has ended the request.
    receive(request, response).catch(() => response.destroy())
  })
  server.listen(port, '127.0.0.1')
  await once(server, 'listening')
  const { port: bound } = server.address() as AddressInfo
  const component: TestComponent = {
    url: `http://127.0.0.1:${bound}/`,
    port: bound,
    calls,
    get reads() {
      return reads
    },
    description,
    answer,
    async close() {
      const closed = once(server, 'close')
      server.close()
      server.closeAllConnections()
      await closed
    },
  }
  return component
}

function repeat({ body }: ComponentCall): object {
  return { content: [{ type: 'text', text: body }] }
}
