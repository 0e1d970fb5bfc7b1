import { describe, expect, test } from 'vitest'
import { parse } from 'yaml'
import { blankComments } from '../document/blank-comments.ts'
import { insertBackend } from './insert-backend.ts'

const added = { name: 'new', backend: { command: 'npx', args: ['-y', 'a@1.0.0'] }, comment: 'io.github.a/a 1.0.0' }

const texts: readonly (readonly [string, string, string])[] = [
  [
    'a block',
    'g.yaml',
    `# head\nlisten: { http: { port: 1 } }   # port\n\nbackends:\n    # mine\n    a:   { url: "http://a/" } # a\n\n# after\ntimeout: 3s\n`,
  ],
  ['a block at the end without a newline', 'g.yaml', 'backends:\n  a: { url: http://a/ }'],
  [
    'a block whose last value is long text',
    'g.yaml',
    'backends:\n  a:\n    command: sh\n    args:\n      - |\n        echo 1\n        echo 2\nlimits: {}\n',
  ],
  ['no backends', 'g.yaml', 'timeout: 3s # three\n'],
  ['an empty mapping', 'g.yaml', 'timeout: 3s # three\nbackends: {}\n'],
  ['a key without a value', 'g.yaml', '# a\nbackends:\ntimeout: 3s # three\n'],
  ['a flow mapping', 'g.yaml', 'backends: { a: { url: http://a/ } } # mine\n'],
  ['a flow mapping of several lines', 'g.yaml', 'backends: {\n  a: { url: http://a/ }, # mine\n}\n'],
  ['only a comment', 'g.yaml', '# nothing yet\n'],
  ['anchors', 'g.yaml', 'backends:\n  a: &a { command: x }\n  b: *a\n'],
  ['Windows lines', 'g.yaml', 'timeout: 3s\r\nbackends:\r\n  a: { url: http://a/ }\r\n'],
  [
    'JSON',
    'g.json',
    '{\n  // mine\n  "backends": {\n    "a": { "url": "http://a/" } // a\n  },\n  "timeout": "3s"\n}\n',
  ],
  ['JSON with commas at the end', 'g.json', '{\n  "backends": {\n    "a": { "url": "http://a/" },\n  },\n}\n'],
  ['JSON in one line', 'g.json', '{"backends":{"a":{"url":"http://a/"}}}'],
  ['JSON without backends', 'g.json', '{ "mcpServers": { "a": { "url": "http://a/" } } }'],
  ['JSON of several lines without backends', 'g.json', '{\n  "timeout": "3s" /* three } */\n}\n'],
]

describe('insertBackend', () => {
  test.each(texts)('%s', (_name, file, text) => {
    const inserted = insertBackend(text, file, added)
    expect(inserted).toMatchObject({ kind: 'text' })
    const result = inserted.kind === 'text' ? inserted.text : ''
    const plain = (written: string): unknown => parse(file.endsWith('.json') ? blankComments(written) : written)
    const before = (plain(text) ?? {}) as { readonly backends?: object }
    expect(plain(result)).toEqual({ ...before, backends: { ...before.backends, new: added.backend } })
    // No comment is lost.
    for (const comment of text.match(/(?:# |\/\/ |\/\* )[^*\r\n]*/g) ?? []) expect(result).toContain(comment.trim())
    const newlines = (written: string): readonly string[] => [...new Set(written.match(/\r?\n/g) ?? ['\n'])]
    expect(newlines(result)).toEqual(newlines(text))
  })

  test('nothing else of a block changes', () => {
    const [, file, text] = texts[0] ?? ['', '', '']
    const inserted = insertBackend(text, file, added)
    const lines =
      '    # io.github.a/a 1.0.0\n    new:\n      command: npx\n      args:\n        - -y\n        - a@1.0.0\n'
    const at = '"http://a/" } # a\n'
    expect(inserted).toEqual({ kind: 'text', text: text.replace(at, `${at}${lines}`) })
  })

  test.each([
    ['two documents', 'a: 1\n---\nb: 2\n', 'it cannot be read: correct it first'],
    ['broken text', 'backends: [', 'it cannot be read: correct it first'],
    ['a list', '- 1\n', 'it is not a mapping'],
    ['backends that are a list', 'backends: [1]\n', '"backends" in it is not a mapping'],
    ['a name that is taken', 'backends:\n  new: {}\n', 'it has a backend new already'],
  ])('refuses %s', (_name, text, why) => {
    expect(insertBackend(text, 'g.yaml', added)).toEqual({ kind: 'refused', why })
  })

  test('text that looks like YAML stays text', () => {
    const backend = { command: 'x', args: ['# no comment', '- a: b', '*', 'yes', '12', '\u001b[31m', '${env:A}'] }
    const inserted = insertBackend('backends: {}\n', 'g.yaml', { ...added, backend })
    expect(parse(inserted.kind === 'text' ? inserted.text : '')).toEqual({ backends: { new: backend } })
  })
})
