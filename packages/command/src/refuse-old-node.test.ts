import { expect, test } from 'vitest'
import { refuseOldNode } from './refuse-old-node.ts'

function tryNode(version: string) {
  const written: string[] = []
  const codes: (number | undefined)[] = []
  const stderr = { write: (text: string) => written.push(text) }
  refuseOldNode({ version, stderr, exit: (code?: number) => codes.push(code) } as never)
  return { codes, text: written.join('') }
}

test.each(['v18.20.8', 'v20.20.2', 'v22.21.1'])('%s is refused with the reason and the next step', (version) => {
  const { codes, text } = tryNode(version)
  expect(codes).toEqual([1])
  expect(text).toMatch(`Node 24 or later is needed, got ${version}\n  Install it`)
})

test.each(['v24.0.0', 'v26.1.0', 'v100.0.0'])('%s is used', (version) => {
  expect(tryNode(version)).toEqual({ codes: [], text: '' })
})
