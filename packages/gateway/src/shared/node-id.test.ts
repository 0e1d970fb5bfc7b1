import { createNodeName } from '@junctor/fabric'
import fc from 'fast-check'
import { describe, expect, it, test } from 'vitest'
import { nodeId, readNodeId } from './node-id.ts'

const names = fc.stringMatching(/^[a-z0-9]{1,64}$/)
const locals = fc.stringMatching(/^[\w.-]{1,128}$/)

describe('an id that names a node', () => {
  it('is read as it was made', () => {
    fc.assert(
      fc.property(names, locals, (node, local) => {
        expect(readNodeId(nodeId(node, local))).toEqual({ kind: 'id', node, local })
      }),
    )
  })

  it('is read as it was made by a node that named itself', () => {
    const node = createNodeName()
    expect(readNodeId(nodeId(node, '0'))).toEqual({ kind: 'id', node, local: '0' })
  })

  it('is valid as a whole or not at all: an id that is read has the same text again', () => {
    const anything = fc.oneof(fc.string({ unit: 'binary' }), fc.stringMatching(/^[a-z0-9A-Z:.-]*$/), fc.string())
    fc.assert(
      fc.property(anything, (text) => {
        const read = readNodeId(text)
        const refused = expect.stringMatching(/^expected .+, got "/)
        expect(read.kind === 'id' ? nodeId(read.node, read.local) : read.why).toEqual(
          read.kind === 'id' ? text : refused,
        )
      }),
    )
  })

  test.each([
    ['', 'name of a node'],
    ['abcd1234', 'name of a node'],
    ['-1', 'name of a node'],
    ['ABCD1234-1', 'name of a node'],
    ['a.b-1', 'name of a node'],
    ['*-1', 'name of a node'],
    ['>-1', 'name of a node'],
    [`${'x'.repeat(65)}-1`, 'name of a node'],
    ['abcd1234-', 'an id of node abcd1234'],
    ['abcd1234-1 ', 'an id of node abcd1234'],
    ['abcd1234-1\n', 'an id of node abcd1234'],
    ['abcd1234-../../etc', 'an id of node abcd1234'],
    [`abcd1234-${'1'.repeat(129)}`, 'an id of node abcd1234'],
  ])('%j is refused with a reason that is short and printable', (text, expected) => {
    const read = readNodeId(text)
    expect(read).toMatchObject({ kind: 'foreign', why: expect.stringContaining(expected) })
    expect(read.kind === 'foreign' && read.why).toMatch(/^[\x20-\x7e…]{1,140}$/)
  })
})
