import { describe, expect, it } from 'vitest'
import * as z from 'zod'
import type { JsonValue } from '@junctor/jsonrpc'
import { parseConfig } from '../parse-config.ts'
import { checkAddedBackend } from './check-added-backend.ts'

const options = z.union([
  z.strictObject({
    url: z.url(),
    headers: z.record(z.string(), z.string()).default({}),
    auth: z.strictObject({ bearer: z.string() }).optional(),
  }),
  z.strictObject({ command: z.string() }),
])
const plugin = {
  name: 'mcp',
  key: ['url', 'command'],
  config: options,
  isRemote: (value: unknown) => Object.hasOwn(value as object, 'url'),
}
const wasm = { name: 'wasm', key: 'wasm', config: z.strictObject({ wasm: z.string() }) }
const plugins = [plugin, wasm]

function fileWith(more: object = {}) {
  const file = { backends: { mine: { command: 'a' } }, timeout: '7s', ...more }
  const parsed = parseConfig(JSON.stringify(file), { file: 'junctor.json', plugins, env: { SECRET: 'of the node' } })
  if (parsed.kind === 'invalid') throw new Error(JSON.stringify(parsed.problems))
  return parsed.config
}

const url = 'https://mcp.example.com/mcp'
const check = (entry: JsonValue, name = 'new', config = fileWith()) => checkAddedBackend(name, entry, config, plugins)

describe('checkAddedBackend', () => {
  it('takes a backend as a file would have it, with the defaults of the file', () => {
    const checked = check({ url, timeout: '3s', prefix: 'n', auth: { bearer: 's3cret' }, headers: { 'x-a': 'b' } })
    expect(checked).toMatchObject({ kind: 'valid', tenants: ['default'] })
    if (checked.kind === 'invalid') return
    const { backend } = checked
    expect(backend).toMatchObject({ name: 'new', word: 'url', prefix: 'n', timeoutMs: 3_000, added: true })
    expect(backend.secrets).toEqual(expect.arrayContaining(['s3cret', 'b']))
    expect(check({ url })).toMatchObject({ backend: { timeoutMs: 7_000, isolation: 'session' } })
    const keyed = check({ url: 'https://me:pass%20word@mcp.example.com/mcp?key=0123456789&v=2' })
    expect(keyed).toMatchObject({ backend: { secrets: ['pass%20word', 'pass word', '0123456789'] } })
  })

  it('takes for a secret in a URL what is one in a file', () => {
    const marked = 'https://mcp.example.com/mcp?token=short&project=production'
    expect(check({ url: marked })).toMatchObject({ backend: { secrets: ['short'] } })
  })

  it.each<readonly [string, JsonValue, string, string]>([
    ['a program', { command: 'sh' }, 'backend_kind', 'command'],
    ['a plugin', { plugin: './mine.ts' }, 'backend_kind', 'plugin'],
    ['a plugin and a URL', { plugin: 'x', url }, 'backend_kind', 'plugin'],
    ['a file', { wasm: './a.wasm' }, 'backend_kind', 'wasm'],
    ['a process', { url, isolation: 'process' }, 'wrong_value', 'isolation'],
    ['workers', { url, runsOn: 'workers' }, 'wrong_value', 'runsOn'],
    ['a variable', { url, auth: { bearer: '${env:SECRET}' } }, 'unknown_reference', 'auth.bearer'],
    ['a file of the machine', { url, headers: { 'x-a': 'b ${file:/etc/passwd}' } }, 'unknown_reference', 'headers.x-a'],
    ['null', null, 'wrong_value', ''],
    ['a list', [], 'wrong_value', ''],
    ['nothing', {}, 'backend_kind', ''],
    ['an unknown word', { url, tiemout: '3s' }, 'unknown_word', 'tiemout'],
    ['a wrong value', { url: 7 }, 'wrong_value', 'url'],
    ['tenants that are no list', { url, tenants: 'default' }, 'wrong_value', 'tenants'],
    ['no tenants', { url, tenants: [] }, 'wrong_value', 'tenants'],
    ['null as tenants', { url, tenants: null }, 'wrong_value', 'tenants'],
    ['an unknown tenant', { url, tenants: ['default', 'defualt'] }, 'unknown_tenant', 'tenants[1]'],
  ])('refuses %s', (_, entry, kind, path) => {
    const checked = check(entry)
    expect(checked.kind).toBe('invalid')
    if (checked.kind === 'valid') return
    expect(checked.problems[0]).toMatchObject({ kind, path })
    expect(JSON.stringify(checked)).not.toContain('of the node')
  })

  it.each(['Upper', '', 'a b', '__proto__', 'mine'])('refuses the name %j', (name) => {
    const checked = check({ url }, name)
    expect(checked).toMatchObject({
      kind: 'invalid',
      problems: [{ kind: name === 'mine' ? 'name_taken' : 'illegal_name' }],
    })
  })

  it('keeps a doubled dollar sign as a text', () => {
    const checked = check({ url, headers: { 'x-a': '$${env:SECRET}' } })
    expect(checked).toMatchObject({ backend: { options: { headers: { 'x-a': '${env:SECRET}' } } } })
  })

  it('needs tenants where there are several', () => {
    const config = fileWith({ tenants: { a: { backends: ['mine'] }, b: { backends: [] } } })
    expect(check({ url }, 'new', config)).toMatchObject({ problems: [{ kind: 'missing_value', path: 'tenants' }] })
    expect(check({ url, tenants: ['b', 'b'] }, 'new', config)).toMatchObject({ kind: 'valid', tenants: ['b'] })
  })
})
