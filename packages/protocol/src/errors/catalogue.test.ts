import { describe, expect, test } from 'vitest'
import { catalogue } from './catalogue.ts'

const rows = Object.entries(catalogue)

test('situations are named in snake case', () => {
  expect(rows.map(([situation]) => situation).filter((name) => !/^[a-z]+(_[a-z]+)*$/.test(name))).toEqual([])
})

test('every row has its cause and the next step in whole sentences', () => {
  const isSentence = (text: string): boolean => /^[A-Z`2].*[.)]$/.test(text)
  expect(rows.filter(([, { cause, nextStep }]) => !isSentence(cause) || !isSentence(nextStep))).toEqual([])
})

test('every code is an integer, and every status an HTTP status', () => {
  expect(rows.flatMap(([, { codes }]) => Object.values(codes)).every((code) => Number.isInteger(code))).toBe(true)
  expect(
    rows.every(([, { status, modernStatus }]) =>
      [200, 400, 401, 403, 404, 405, 406, 413, 415, 429, 503].includes(modernStatus ?? status),
    ),
  ).toBe(true)
})

describe('codes to which a peer may assign a different meaning', () => {
  const standard = [-32700, -32600, -32601, -32602, -32603]

  test('towards 2026-07-28 only codes of the specification are in -32099..-32000', () => {
    const reserved = rows.filter(([, { codes }]) => codes.modern >= -32099 && codes.modern <= -32000)
    expect(reserved.map(([situation, { codes }]) => [situation, codes.modern])).toEqual([
      ['header_mismatch', -32020],
      ['capability_missing', -32021],
      ['unsupported_version', -32022],
    ])
  })

  test.each([
    ['n8n', [...standard, -32000]],
    ['saas', [...standard, -32000, -32001, -32002]],
    ['ftl', [...standard, -32000, -32001, -32002, -32003, -32004]],
    // -32042 is that of 2025-11-25 for a visit to a URL.
    ['mcp', [...standard, -32000, -32001, -32002, -32042]],
  ] as const)('%s has its own short list', (column, allowed) => {
    const foreign = rows.filter(([, { codes }]) => !(allowed as readonly number[]).includes(codes[column]))
    // A cancelled request is not answered in these columns.
    expect(foreign.filter(([situation]) => situation !== 'cancelled')).toEqual([])
  })
})
