import { expect, it } from 'vitest'
import { atPorts } from './at-ports.ts'

it('replaces the ports of a guide, in commands and in their expected output', () => {
  const ports = new Map([
    ['3000', 51_234],
    ['3001', 51_235],
  ])
  expect(atPorts('on http://127.0.0.1:3000/mcp, admin: 3001, 130001, 30000, 4000', ports)).toBe(
    'on http://127.0.0.1:51234/mcp, admin: 51235, 130001, 30000, 4000',
  )
})
