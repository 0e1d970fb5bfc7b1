import { mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { enterChain } from './enter-chain.ts'

let folder: string
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'junctor-chain-'))
  for (const name of ['a', 'b', 'c', 'd', 'e']) writeFileSync(join(folder, name), '')
  symlinkSync(join(folder, 'a'), join(folder, 'link'))
})
afterAll(() => rmSync(folder, { recursive: true }))

const enter = (name: string | undefined, env: NodeJS.ProcessEnv) =>
  enterChain(name === undefined ? undefined : join(folder, name), env)

test('a gateway may be a backend of another one, but not below itself, by any name of its file', () => {
  const env = {}
  expect(enter('a', env)).toBeUndefined()
  expect(enter('b', env)).toBeUndefined()
  for (const name of ['a', 'b', 'link']) expect(enter(name, env)?.message).toContain('would start itself without end')
  expect(enter(undefined, env)).toBeUndefined()
  expect(enter(undefined, env)?.message).toMatch(/^the demo is served by/)
})

test('the fifth gateway of a chain is refused', () => {
  const env = {}
  for (const name of ['a', 'b', 'c', 'd']) expect(enter(name, env)).toBeUndefined()
  expect(enter('e', env)?.message).toContain('4 deep; 4 are possible')
})

test('an empty mark is ignored, and an unreadable file has a mark', () => {
  const env = { JUNCTOR_CHAIN: ',,' }
  expect(enter('nowhere', env)).toBeUndefined()
  expect(enter('nowhere', env)).toBeDefined()
})
