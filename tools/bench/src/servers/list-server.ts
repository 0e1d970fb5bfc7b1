import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { announce } from './announce.ts'
import type { LeanMessage } from './answer.ts'
import { listedTools, toolDescription, toolName, toolSchema } from './tool-list.ts'

// The long list of tools on node:http, serialized once: only the id is printed for each request.

const tools = Array.from({ length: listedTools }, (_, index) => ({
  name: toolName(index),
  description: toolDescription,
  inputSchema: toolSchema,
}))
const result = Buffer.from(`,"result":${JSON.stringify({ tools })}}`)

const server = createServer((request, response) => {
  let body = ''
  request.setEncoding('utf8')
  request.on('data', (chunk: string) => (body += chunk))
  request.on('end', () => {
    const { id } = JSON.parse(body) as LeanMessage
    const start = `{"jsonrpc":"2.0","id":${JSON.stringify(id)}`
    response.writeHead(200, {
      'content-type': 'application/json',
      'content-length': start.length + result.length,
    })
    response.write(start)
    response.end(result)
  })
})

server.listen(0, '127.0.0.1', () => announce((server.address() as AddressInfo).port))
