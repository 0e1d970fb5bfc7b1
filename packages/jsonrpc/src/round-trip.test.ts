import fc from 'fast-check'
import { expect, test } from 'vitest'
import { arrayText, canonical, numberText, objectText, stringText, valueText } from '../test/fixtures/json-text.ts'
import { parseFrame } from './parse/parse-frame.ts'
import { printMessage } from './print/print-message.ts'
import { repeatsNames } from './json/repeats-names.ts'

type Members = Readonly<Record<string, string>>

const idText = fc.oneof(
  numberText.filter((text) => text.length < 250),
  stringText.filter((text) => text.length < 40),
)

/** Calls must not contain an object with two members of one name. */
const unrepeated = (text: string): boolean => !repeatsNames(text, JSON.parse(text))
const paramsText = fc.oneof(objectText, arrayText).filter(unrepeated)
const optionsText = objectText.filter(unrepeated)

/** The members of any message, each as JSON text, in the order in which they are printed. */
const messageMembers: fc.Arbitrary<Members> = fc.oneof(
  fc.record({ id: idText, method: stringText, params: paramsText }),
  fc.record({ method: stringText, params: paramsText }),
  fc.record({ id: idText, method: stringText }),
  fc.record({ id: idText, result: valueText }),
  fc
    .record({ id: idText, code: fc.maxSafeInteger(), message: stringText, data: valueText })
    .map(({ id, code, message, data }) => ({ id, error: `{"code":${code},"message":${message},"data":${data}}` })),
)

const idMember = fc.oneof(idText, fc.constant('null'))
const errorText = fc
  .record({ code: fc.maxSafeInteger(), title: stringText, message: stringText, data: valueText })
  .map(({ code, title, message, data }) => `{"code":${code},"title":${title},"message":${message},"data":${data}}`)
const inside = (id: string, more = ''): string => `{"id":${id}${more}}`

/** The members of any message of JSON-RPC 3.0, in its canonical form. */
const v3Members: fc.Arbitrary<Members> = fc.oneof(
  fc.record({ id: idMember, method: stringText, params: paramsText, options: optionsText }),
  fc.record({ method: stringText, options: optionsText }),
  fc.record({ id: idMember, method: stringText }),
  fc.record({ id: idMember, result: valueText }),
  fc.record({ id: idMember, error: errorText }),
  fc.record({ id: idMember, ack: objectText }),
  fc.tuple(idMember, valueText).map(([id, text]) => ({ ack: inside(id, `,"progress":${text}`) })),
  idMember.map((id) => ({ ack: inside(id) })),
  fc.tuple(idMember, valueText).map(([id, data]) => ({ stream: inside(id, `,"data":${data}`) })),
  fc.tuple(idMember, valueText).map(([id, result]) => ({ stream: inside(id), result })),
  fc.tuple(idMember, errorText).map(([id, error]) => ({ stream: inside(id), error })),
  idMember.map((id) => ({ options: `{"stream":${id},"abort":true}` })),
)

const written = (members: readonly (readonly [string, string])[]): string =>
  `{${members.map(([name, text]) => `"${name}":${text}`).join(',')}}`

test('every parsed message is printed unchanged: ids, numbers, unknown members, any whitespace, any order', () => {
  const versioned = fc.oneof(fc.tuple(fc.constant('"2.0"'), messageMembers), fc.tuple(fc.constant('"3.0"'), v3Members))
  const padding = fc.constantFrom('', ' ', '\r\n', ' '.repeat(16 * 1024))
  fc.assert(
    fc.property(versioned, fc.array(fc.nat()), padding, ([version, members], order, pad) => {
      const inOrder: [string, string][] = [['jsonrpc', version], ...Object.entries(members)]
      const shuffled = inOrder
        .map((entry, index) => ({ entry, rank: order[index] ?? 0 }))
        .toSorted((a, b) => a.rank - b.rank)
        .map(({ entry }) => entry)
      const frame = parseFrame(pad + written([...shuffled, ['unknown', '1.0']]) + pad)
      expect(frame).toMatchObject({ kind: 'message' })
      const printed = frame.kind === 'message' ? printMessage(frame.message, { nullId: true }) : ''
      expect(canonical(printed)).toBe(canonical(written(inOrder)))
      expect(printed).not.toMatch(/[\n\r]/)
    }),
    { numRuns: 1000 },
  )
})

test('every text has a result, and no text makes the parser throw', () => {
  const scraps = fc.string({
    unit: fc.constantFrom(
      '{',
      '}',
      '[',
      ']',
      '"',
      '\\',
      ':',
      ',',
      '1',
      '"id"',
      '"method"',
      '"jsonrpc":"2.0"',
      '"jsonrpc":"3.0"',
      '"stream"',
      '"ack"',
      '"options"',
      ' ',
      '\n',
    ),
    maxLength: 60,
  })
  fc.assert(
    fc.property(fc.oneof(scraps, fc.string({ unit: 'binary' })), fc.integer({ min: 0, max: 3 }), (text, depth) => {
      const { kind } = parseFrame(text, { depth, batch: 2, idLength: 4 })
      expect(['message', 'batch', 'unreadable']).toContain(kind)
    }),
    { numRuns: 2000 },
  )
})
