import fc from 'fast-check'
import { afterAll, expect, test } from 'vitest'
import { createParsing } from './parsing.ts'

const parsing = createParsing()
afterAll(() => parsing.remove())

const sections = [
  'listen',
  'naming',
  'server',
  'timeout',
  'backends',
  'mcpServers',
  'tenants',
  'auth',
  'limits',
  'secrets',
]
const words = [
  ...sections,
  'http',
  'a',
  'A b',
  'command',
  'url',
  'plugin',
  'hash',
  'apiKeys',
  'tools',
  '__proto__',
  'constructor',
]

/** Values that resemble configurations: our words in positions where they do not belong. */
const { value } = fc.letrec<{ value: unknown; leaf: unknown; list: unknown; mapping: unknown }>((tie) => ({
  value: fc.oneof({ maxDepth: 5, withCrossShrink: true }, tie('leaf'), tie('list'), tie('mapping')),
  leaf: fc.oneof(fc.constant('${env:NOPE}'), fc.constant('x'), fc.integer(), fc.boolean(), fc.constant(null)),
  list: fc.array(tie('value'), { maxLength: 3 }),
  mapping: fc.dictionary(fc.constantFrom(...words), tie('value'), { maxKeys: 4 }),
}))

test('the content of every file is a configuration or a list of problems with positions in it', () => {
  fc.assert(
    fc.property(fc.dictionary(fc.constantFrom(...sections), value), (file) => {
      const text = JSON.stringify(file, undefined, 1)
      const lines = text.split('\n').length
      const parsed = parsing.parse(text)
      const problems = parsed.kind === 'invalid' ? parsed.problems : []
      expect(parsed.kind === 'valid' || problems.length > 0).toBe(true)
      for (const { line, column, expected, next } of problems) {
        expect(line).toBeGreaterThanOrEqual(1)
        expect(line).toBeLessThanOrEqual(lines)
        expect(column).toBeGreaterThanOrEqual(1)
        expect([expected, next]).not.toContain('')
      }
    }),
    { numRuns: 300 },
  )
})

/** The characters with a meaning in YAML, and a few others. */
const characters = '{}[]:,-&*!|>\'"%@`#? \n\tab1$'.split('')

test('every text is read or refused', () => {
  fc.assert(
    fc.property(fc.string({ unit: fc.constantFrom(...characters), maxLength: 60 }), (text) => {
      expect(['valid', 'invalid']).toContain(parsing.parse(text).kind)
    }),
    { numRuns: 500 },
  )
})
