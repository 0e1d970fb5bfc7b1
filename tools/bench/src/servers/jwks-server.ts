import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { announce } from './announce.ts'

// The keys of an issuer of tokens, which are the first argument: every path has them.

const [keys = '{}'] = process.argv.slice(2)

const server = createServer((_, response) => {
  response.writeHead(200, { 'content-type': 'application/json', 'content-length': Buffer.byteLength(keys) })
  response.end(keys)
})

server.listen(0, '127.0.0.1', () => announce((server.address() as AddressInfo).port))
