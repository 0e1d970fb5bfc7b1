import { describe, expect, test } from 'vitest'
import { layers, mayImport, mayUseNode } from './layers.ts'

describe('mayImport', () => {
  test.each([
    ['protocol', 'jsonrpc', '.'],
    ['exchange', 'protocol', '.'],
    ['contracts', 'exchange', '.'],
    ['transport', 'connection', '.'],
    ['transport', 'exchange', '.'],
    ['gateway', 'fabric', '.'],
    ['fabric', 'bus', '.'],
    ['transport', 'bus', '.'],
    ['fabric', 'fabric', '.'],
    ['plugin', 'transport', './back'],
    ['node', 'transport', './front'],
    ['app', 'plugin', '.'],
    ['tool', 'node', '.'],
  ])('%s may import %s at %s', (from, to, entryPoint) => {
    expect(mayImport(from, to, entryPoint)).toBe(true)
  })

  test.each([
    ['jsonrpc', 'protocol', '.'],
    ['protocol', 'exchange', '.'],
    ['exchange', 'contracts', '.'],
    ['contracts', 'connection', '.'],
    ['plugin', 'connection', '.'],
    ['plugin', 'exchange', '.'],
    ['plugin', 'protocol', '.'],
    ['sdk', 'service', '.'],
    ['transport', 'transport', './front'],
    ['fabric', 'gateway', '.'],
    ['gateway', 'bus', '.'],
    ['bus', 'service', '.'],
    ['gateway', 'transport', './back'],
    ['gateway', 'plugin', '.'],
    ['plugin', 'transport', './front'],
    ['plugin', 'plugin', '.'],
    ['plugin', 'gateway', '.'],
    ['node', 'plugin', '.'],
    ['node', 'app', '.'],
    ['node', 'tool', '.'],
    ['unheard-of', 'jsonrpc', '.'],
  ])('%s may not import %s at %s', (from, to, entryPoint) => {
    expect(mayImport(from, to, entryPoint)).toBe(false)
  })
})

test('the pure layers are without Node', () => {
  expect(Object.keys(layers).filter((layer) => !mayUseNode(layer))).toEqual([
    'primitives',
    'jsonrpc',
    'protocol',
    'exchange',
    'contracts',
    'connection',
  ])
})
