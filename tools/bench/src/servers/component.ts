import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { announce } from './announce.ts'
import { echoTool, resultOf } from './answer.ts'

// A hand-written tool component on node:http: GET describes the echo, POST runs it.

const description = JSON.stringify(echoTool)

const server = createServer((request, response) => {
  let body = ''
  request.setEncoding('utf8')
  request.on('data', (chunk: string) => (body += chunk))
  request.on('end', () => {
    const text = request.method === 'GET' ? description : JSON.stringify(answerTo(body))
    response.writeHead(200, { 'content-type': 'application/json', 'content-length': Buffer.byteLength(text) })
    response.end(text)
  })
})

function answerTo(body: string): object {
  return resultOf({ method: 'tools/call', params: { arguments: JSON.parse(body) as { message?: string } } })
}

server.listen(0, '127.0.0.1', () => announce((server.address() as AddressInfo).port))
