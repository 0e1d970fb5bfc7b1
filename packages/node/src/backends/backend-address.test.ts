import { expect, test } from 'vitest'
import { createGreeter } from '../../test/greeter.ts'
import { backendAddress } from './backend-address.ts'

const { plugin } = createGreeter(async () => {})
const url = 'https://one.example/mcp'
const addressOf = (options: unknown): string => backendAddress({ plugin, options })

test('is the same for one server with other credentials, and in another order', () => {
  const address = addressOf({ url, headers: { 'X-Key': 'a' }, auth: { bearer: 'a' }, http: { a: 1, b: 2 } })
  const same = addressOf({ http: { b: 2, a: 1 }, auth: { bearer: 'b' }, url, headers: {} })
  expect(same).toBe(address)
})

/** An option that is no data. */
class Live {
  readonly self: Live = this
}

test('is another one for another URL, program or plugin', () => {
  const all = [
    { url },
    { url: 'https://two.example/mcp' },
    { command: 'node', args: ['a'] },
    { command: 'node', live: new Live() },
  ]
  const addresses = [...all.map(addressOf), backendAddress({ plugin: { ...plugin, name: 'other' }, options: { url } })]
  expect(new Set(addresses).size).toBe(addresses.length)
})
