import { hash } from 'node:crypto'
import { expect, test } from 'vitest'
import { viewDomain } from './view-domain.ts'

const made = `${'0'.repeat(32)}.claudemcpcontent.com`
const other = 'www-example-com.oaiusercontent.com'
const url = 'https://gw.example.com/mcp/-/files'
const fitting = `${hash('sha256', url, 'hex').slice(0, 32)}.claudemcpcontent.com`

test.each([
  ['no setting', undefined, url, undefined, other],
  ['drop', 'drop', url, undefined, undefined],
  ['keep', 'keep', url, made, other],
  ['recompute', 'recompute', url, fitting, other],
  ['recompute where several share the endpoint', 'recompute', undefined, undefined, other],
] as const)('%s', (_, choice, at, ofUrl, ofOther) => {
  expect(viewDomain(made, { choice, url: at })).toBe(ofUrl)
  expect(viewDomain(other, { choice, url: at })).toBe(ofOther)
})
