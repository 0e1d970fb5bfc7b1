import { buildWasmSample } from '@junctor/testkit/build-wasm-sample'
import { readFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { announce } from './announce.ts'
import type { LeanMessage } from './answer.ts'

// A minimal server for the same module on node:http: a fresh instance for each call, as in Junctor, but on its only
// thread, where a module that loops stops everything.

interface Instance {
  readonly exports: { readonly memory: { readonly buffer: ArrayBuffer }; readonly call: (tool: number) => void }
}

interface Api {
  readonly Module: new (bytes: Uint8Array) => object
  readonly Instance: new (module: object, imports: object) => Instance
}

const api = (globalThis as unknown as { readonly WebAssembly: Api }).WebAssembly
const compiled = new api.Module(readFileSync(await buildWasmSample()))
const echo = 0

const nothing = (): number => 0

function run(input: string): string {
  const given = Buffer.from(input)
  let answer = ''
  const junctor = {
    input: () => given.length,
    take: (at: number) => new Uint8Array(instance.exports.memory.buffer).set(given, at),
    output: (at: number, length: number) => {
      answer = Buffer.from(instance.exports.memory.buffer, at, length).toString()
    },
    value: nothing,
    fetch: nothing,
    progress: nothing,
    piece: nothing,
    log: nothing,
  }
  const instance = new api.Instance(compiled, { junctor })
  instance.exports.call(echo)
  return answer
}

const server = createServer((request, response) => {
  let body = ''
  request.setEncoding('utf8')
  request.on('data', (chunk: string) => (body += chunk))
  request.on('end', () => {
    const { id, params } = JSON.parse(body) as LeanMessage
    const result: unknown = JSON.parse(run(JSON.stringify(params?.arguments)))
    const text = JSON.stringify({ jsonrpc: '2.0', id, result })
    response.writeHead(200, { 'content-type': 'application/json', 'content-length': Buffer.byteLength(text) })
    response.end(text)
  })
})
server.listen(0, '127.0.0.1', () => announce((server.address() as AddressInfo).port))
