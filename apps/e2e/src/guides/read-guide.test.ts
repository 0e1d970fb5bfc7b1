import { describe, expect, it, test } from 'vitest'
import { printsAll, readGuide, unnamedFiles } from './read-guide.ts'

const guide = [
  'Text.',
  '```yaml junctor.yaml',
  'backends: {}',
  '```',
  '```sh',
  'junctor check',
  '```',
  '```text',
  'all … well',
  '```',
  '```sh fails',
  'junctor nonsense',
  '```',
  '```sh serve',
  'junctor serve',
  '```',
  '```sh serve two',
  'junctor serve --port 3002',
  '```',
  '<!-- stop two -->',
  '```sh soon',
  'junctor status',
  '```',
  '```json',
  '{}',
  '```',
].join('\n')

test('names the files that the reader is not told to save', () => {
  expect(unnamedFiles(guide)).toEqual(['junctor.yaml'])
  expect(unnamedFiles(`Save this as \`junctor.yaml\`:\n${guide}\n${guide}`)).toEqual([])
})

describe('readGuide', () => {
  it('reads blocks as steps', () => {
    expect(readGuide(guide)).toEqual([
      { kind: 'file', name: 'junctor.yaml', text: 'backends: {}', line: 2 },
      { kind: 'run', script: 'junctor check', fails: false, soon: false, expected: ['all … well'], line: 5 },
      { kind: 'run', script: 'junctor nonsense', fails: true, soon: false, expected: [], line: 11 },
      { kind: 'serve', name: '', script: 'junctor serve', expected: [], line: 14 },
      { kind: 'serve', name: 'two', script: 'junctor serve --port 3002', expected: [], line: 17 },
      { kind: 'stop', name: 'two', line: 20 },
      { kind: 'run', script: 'junctor status', fails: false, soon: true, expected: [], line: 21 },
      { kind: 'shown', language: 'json', text: '{}', line: 24 },
    ])
  })

  it('refuses a block without an end', () => {
    expect(() => readGuide('```sh\njunctor')).toThrow('line 1')
  })
})

describe('printsAll', () => {
  it.each([
    ['a line', 'one\ntwo\n', ['two'], true],
    ['lines in order', 'one\ntwo\n', ['one', 'two'], true],
    ['lines in another order', 'one\ntwo\n', ['two', 'one'], false],
    ['anything for dots', 'up 3 tools, 40 ms\n', ['up … tools, … ms'], true],
    ['dots that end with the line', 'up\ntools\n', ['up … tools'], false],
    ['a line that is not there', 'one\n', ['two'], false],
    ['one line twice', 'one\n', ['one', 'one'], false],
    ['nothing', '', [], true],
  ])('%s', (_name, printed, expected, holds) => {
    expect(printsAll(printed, expected)).toBe(holds)
  })
})
