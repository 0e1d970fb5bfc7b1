import type { BrokenFile } from './wrong-values.ts'

/** Broken files of the kind `syntax`. */
export const brokenSyntax: readonly BrokenFile[] = [
  [
    'text that is not YAML',
    'a: [1',
    '1:6  | the end of the file | a closing ] | Correct the line, or the one before it.',
  ],
  [
    'a tab in the indentation',
    'a:\n\tb: 1',
    '2:1  | "\\t" | spaces for indentation | Correct the line, or the one before it.',
  ],
  [
    'text that needs quotes',
    'a: @b',
    '1:4  | "@" | quotes around text that begins with @, `, %, | or > | Correct the line, or the one before it.',
  ],
  [
    'two values for one key',
    'a: b: c',
    '1:4  | "b" | one value for each key; text that holds ": " needs quotes | Correct the line, or the one before it.',
  ],
  [
    'two documents',
    'a: 1\n---\nb: 2',
    '2:1  | "-" | one document, without a line of --- | Correct the line, or the one before it.',
  ],
  [
    'a tag',
    'a: !secret b',
    '1:4  | "!" | plain values, without tags such as !name | Correct the line, or the one before it.',
  ],
  [
    'a key that is no text',
    '? [a, b]\n: 1',
    '1:3  | "[" | keys that are plain text | Correct the line, or the one before it.',
  ],
  [
    'JSON without its end',
    '{\n  "server": {"name": "mine"\n',
    '3:1  | the end of the file | a closing } | Correct the line, or the one before it.',
  ],
  [
    'JSON without a comma',
    '{"timeout": "1s" "profile": "mcp"}',
    '1:18  | "\\"" | a comma, a bracket or the end of the line before it | Correct the line, or the one before it.',
  ],
  [
    'a reference without quotes between braces',
    'backends: { a: { url: https://${env:HOST}/mcp } }',
    '1:32  | "{" | quotes around a reference between braces | Put the whole text between quotes: \'${env:NAME}\'',
  ],
  [
    'quotes without an end',
    'server: { name: "mine }',
    '1:24  | the end of the file | a closing quote | Correct the line, or the one before it.',
  ],
  [
    'a non-breaking space in the indentation of a key',
    'backends:\n\u00a0\u00a0demo:\n    url: http://a',
    '2:1  | a space of another kind, such as a non-breaking one | a plain space | Type the space again; text that needs another kind of space needs quotes.',
  ],
  [
    'a non-breaking space in the indentation of a further key',
    'backends:\n  demo:\n    timeout: 5s\n   \u00a0url: http://a',
    '4:4  | a space of another kind, such as a non-breaking one | a plain space | Type the space again; text that needs another kind of space needs quotes.',
  ],
  [
    'a non-breaking space after the dash of a list',
    'tenants: { a: { backends: b } }\na:\n  -\u00a0b',
    '3:4  | a space of another kind, such as a non-breaking one | a plain space | Type the space again; text that needs another kind of space needs quotes.',
  ],
]
