import { expect, it } from 'vitest'
import { Definitions } from './definitions.ts'

it('many references to schemas of one name at different places cost little', () => {
  const places = Array.from({ length: 30_000 }, (_, at) => `a${at}`)
  const root = { x: Object.fromEntries(places.map((place) => [place, { s: {} }])) }
  const definitions = new Definitions({ root, version: '3.1', unread: new Map() }, 'input', new Set())
  const properties = Object.fromEntries(places.map((place) => [place, { $ref: `#/x/${place}/s` }]))
  // If each name were counted from one, this would take minutes.
  const { properties: converted } = definitions.convert({ properties }, '')
  expect(converted).toMatchObject({ a0: { $ref: '#/$defs/s' }, a1: { $ref: '#/$defs/s_2' } })
  expect(converted).toHaveProperty('a29999', { $ref: '#/$defs/s_30000' })
})
