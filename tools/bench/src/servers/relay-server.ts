import { spawn } from 'node:child_process'
import { createServer, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { announce } from './announce.ts'
import { createLineSplitter } from './line-splitter.ts'

// A minimal gateway from HTTP to a child's standard streams: it replaces ids, and parses and prints messages.
/** The waiting responses, by upstream id. Places are reused: a map would keep removed entries in memory for a while. */
const asked: { id: unknown; response: ServerResponse | undefined }[] = []
const free: number[] = []

const child = spawn(process.execPath, process.argv.slice(2), { stdio: ['pipe', 'pipe', 'inherit'] })
const split = createLineSplitter()
let lines = ''

const server = createServer((request, response) => {
  let body = ''
  request.setEncoding('utf8')
  request.on('data', (chunk: string) => (body += chunk))
  request.on('end', () => {
    const message = JSON.parse(body) as { id: unknown }
    const place = free.pop() ?? asked.length
    asked[place] = { id: message.id, response }
    message.id = place
    if (lines === '') setImmediate(flush)
    lines += `${JSON.stringify(message)}\n`
  })
})

function flush(): void {
  child.stdin.write(lines)
  lines = ''
}

child.stdout.setEncoding('utf8')
child.stdout.on('data', (chunk: string) => {
  for (const line of split(chunk)) {
    const message = JSON.parse(line) as { id: unknown }
    const place = message.id as number
    const waiting = asked[place]
    if (waiting === undefined) continue
    const response = waiting.response
    waiting.response = undefined
    free.push(place)
    message.id = waiting.id
    const text = JSON.stringify(message)
    response?.writeHead(200, { 'content-type': 'application/json', 'content-length': Buffer.byteLength(text) })
    response?.end(text)
  }
})

server.listen(0, '127.0.0.1', () => announce((server.address() as AddressInfo).port))
