import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, readFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'

// Each test is several processes, and a start takes seconds on a busy machine.
vi.setConfig({ testTimeout: 60_000 })

const program = join(import.meta.dirname, '../../../bin/junctor')

let folder: string
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'junctor-start-'))
  writeFileSync(join(folder, 'junctor.json'), '{"backends":{"demo":{"plugin":"@junctor/plugin-demo"}}}')
})
afterEach(() => rmSync(folder, { recursive: true }))

/** Starts the command on standard streams, lists its tools, and lets it end. */
async function list(env: Readonly<Record<string, string>>): Promise<{ readonly out: string; readonly errors: string }> {
  const child = spawn(program, ['serve', '--stdio', '--log-level', 'warn'], {
    cwd: folder,
    env: { PATH: process.env['PATH'] ?? '', ...env },
  })
  const clientInfo = { name: 'x', version: '1' }
  const params = { protocolVersion: '2025-11-25', capabilities: {}, clientInfo }
  child.stdin.write(`${JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'initialize', params })}\n`)
  child.stdin.end('{"jsonrpc":"2.0","id":2,"method":"tools/list"}\n')
  const [out, errors] = await Promise.all([text(child.stdout), text(child.stderr), once(child, 'close')])
  return { out, errors }
}

test('compiled code is kept for the next start, also when several start at the same time', async () => {
  const cache = join(folder, 'cache')
  const runs = await Promise.all([list({ NODE_COMPILE_CACHE: cache }), list({ NODE_COMPILE_CACHE: cache })])
  for (const { out } of runs) expect(out).toContain('"demo__echo"')
  const kept = readdirSync(cache, { recursive: true })
  expect(kept.length).toBeGreaterThan(500)
  expect((await list({ NODE_COMPILE_CACHE: cache })).out).toContain('"demo__echo"')
  expect(readdirSync(cache, { recursive: true })).toHaveLength(kept.length)
})

test('the start works the same when nothing can be kept', async () => {
  const { out, errors } = await list({ NODE_COMPILE_CACHE: join(folder, 'junctor.json', 'cache') })
  expect(out).toContain('"demo__echo"')
  expect(errors).toBe('Ready on standard input and output\n')
})

test('a gateway on standard streams loads no network code', async () => {
  const loaded = join(folder, 'loaded.txt')
  const hook = join(folder, 'hook.mjs')
  writeFileSync(
    hook,
    `import { appendFileSync } from 'node:fs'
     import { registerHooks } from 'node:module'
     registerHooks({ load(url, context, next) { appendFileSync(${JSON.stringify(loaded)}, url + '\\n'); return next(url, context) } })`,
  )
  expect((await list({ NODE_OPTIONS: `--import ${hook}` })).out).toContain('"demo__echo"')
  const urls = readFileSync(loaded, 'utf8')
  expect(urls).toContain('/zod/')
  const foreign = urls
    .split('\n')
    .filter((url) => /node_modules\/(?:fastify|undici|ws|@nats-io|prom-client)\//.test(url))
  expect(foreign).toEqual([])
  expect(urls).not.toMatch(/^node:https?$/m)
})
