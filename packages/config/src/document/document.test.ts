import { describe, expect, test } from 'vitest'
import { type ReadDocument, readDocument, type SourceDocument } from './document.ts'

function documentOf(text: string): SourceDocument {
  const read = readDocument(text)
  expect(read.kind).toBe('document')
  return (read as Extract<ReadDocument, { kind: 'document' }>).document
}

describe('positions', () => {
  const yaml = ['# a comment', 'listen:', '  http: { port: 3000 }', 'backends:', '  one:', '    args: [a, b]', ''].join(
    '\n',
  )

  test.each([
    [['listen'], 'key', 2, 1],
    [['listen', 'http', 'port'], 'key', 3, 11],
    [['listen', 'http', 'port'], 'value', 3, 17],
    [['backends', 'one', 'args', 1], 'value', 6, 15],
    [['backends', 'one', 'missing'], 'value', 6, 5],
    [['backends', 'one', 'args', 7], 'value', 6, 11],
    [['missing', 'as', 'well'], 'value', 2, 1],
    [[], 'value', 2, 1],
  ] as const)('of %j (its %s) is %i:%i', (path, at, line, column) => {
    expect(documentOf(yaml).position(path, at)).toEqual({ line, column })
  })

  test('are found in JSON with tabs', () => {
    const document = documentOf('{\n\t"listen": {\n\t\t"http": {"port": "x"}\n\t}\n}\n')
    expect(document.position(['listen', 'http', 'port'], 'value')).toEqual({ line: 3, column: 20 })
  })

  test('of aliased values are those of the original', () => {
    const document = documentOf('a: &shared\n  timeout: 1\nb: *shared\n')
    expect(document.value).toEqual({ a: { timeout: 1 }, b: { timeout: 1 } })
    expect(document.position(['b', 'timeout'], 'value')).toEqual({ line: 2, column: 12 })
  })

  test('of a key without a value are behind the key', () => {
    expect(documentOf('a: 1\nlisten:\n').position(['listen'], 'value')).toEqual({ line: 2, column: 8 })
  })
})

test.each(['', '# only a comment\n', '---\n'])('%j is an empty document', (text) => {
  expect(documentOf(text).value).toEqual({})
})

test('"__proto__" is an ordinary key', () => {
  const { value } = documentOf('{"__proto__": {"polluted": true}}')
  expect(Object.keys(value as object)).toEqual(['__proto__'])
  expect(({} as { polluted?: boolean }).polluted).toBeUndefined()
})

describe('unreadable text', () => {
  test.each([
    ['a: 1\na: 2', 2, 1, 'each key only once'],
    ['a:\n\tb: 1', 2, 1, 'spaces for indentation'],
    ['a: 1\n---\nb: 2', 2, 1, 'one document, without a line of ---'],
    ['a: b: c', 1, 4, 'one value for each key; text that holds ": " needs quotes'],
    ['a: @b', 1, 4, 'quotes around text that begins with @, `, %, | or >'],
    ['a: !secret b', 1, 4, 'plain values, without tags such as !name'],
    ['? [a, b]\n: 1', 1, 3, 'keys that are plain text'],
    ['a: 1\nb: *missing', 2, 4, 'each alias (*name) to follow the value of its anchor (&name)'],
    ['a: &a { b: 1, c: *a }', 1, 18, 'each alias (*name) to follow the value of its anchor (&name)'],
    ['a: "x', 1, 6, 'a closing quote'],
    ['{"a": {,}}', 1, 8, 'a value before the comma'],
    [String.raw`a: "C:\x.exe"`, 1, 7, String.raw`an escape such as \n or \\ after this character`],
  ])('%j', (text, line, column, expected) => {
    expect(readDocument(text)).toMatchObject({
      kind: 'unreadable',
      problems: [{ position: { line, column }, expected }],
    })
  })

  test('a path of Windows in double quotes has a next step of its own', () => {
    expect(readDocument(String.raw`a: "C:\x.exe"`)).toMatchObject({
      problems: [
        { next: String.raw`Write the text in single quotes, as for a path of Windows: 'C:\tools\server.exe'.` },
      ],
    })
  })

  test('is not quoted, because it may contain a secret', () => {
    const reported = JSON.stringify([
      readDocument('token: "hunter2" "hunter2"'),
      readDocument('token: |hunter2\n  x'),
      readDocument('{"a": 1 hunter2: hunter2 ]'),
    ])
    expect(reported).toContain('unreadable')
    expect(reported).not.toContain('hunter2')
  })

  test('with exponentially growing aliases is refused, not expanded', () => {
    const levels = Array.from({ length: 12 }, (_, n) => `a${n + 1}: &a${n + 1} [${`*a${n},`.repeat(9)}]`)
    expect(readDocument(['a0: &a0 [x]', ...levels].join('\n')).kind).toBe('unreadable')
  })
})

test('spaces of other kinds are part of texts', () => {
  const text =
    '# a\u00A0comment\n"a\u00A0key": a\u00A0text:\u00A0more\nquoted: "\u00A0x"\nlist: [a -\u00A0b]\nlines: |\n  \u00A0x\n'
  expect(documentOf(text).value).toEqual({
    'a\u00A0key': 'a\u00A0text:\u00A0more',
    quoted: '\u00A0x',
    list: ['a -\u00A0b'],
    lines: '\u00A0x\n',
  })
})
