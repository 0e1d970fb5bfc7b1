import { createServer, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { Agent } from 'undici'
import { announce } from './announce.ts'
import type { LeanMessage } from './answer.ts'

// A minimal gateway to the component at the port in the first argument: it sends the arguments and wraps the answer. It
// uses the same HTTP client as Junctor.

const component = new Agent()
const origin = `http://127.0.0.1:${process.argv[2]}`

const server = createServer((request, response) => {
  let body = ''
  request.setEncoding('utf8')
  request.on('data', (chunk: string) => (body += chunk))
  request.on('end', () => void relay(JSON.parse(body) as LeanMessage, response))
})

async function relay({ id, params }: LeanMessage, response: ServerResponse): Promise<void> {
  const answer = await component.request({
    origin,
    path: '/',
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(params?.arguments),
  })
  const text = JSON.stringify({ jsonrpc: '2.0', id, result: await answer.body.json() })
  response.writeHead(200, { 'content-type': 'application/json', 'content-length': Buffer.byteLength(text) })
  response.end(text)
}

server.listen(0, '127.0.0.1', () => announce((server.address() as AddressInfo).port))
