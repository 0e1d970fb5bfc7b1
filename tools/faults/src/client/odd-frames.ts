/** A frame that a careful client would not send. */
export interface OddFrame {
  readonly name: string
  readonly bytes: Uint8Array
  /** `refused`: it is not a message. `taken`: it is a message, and gets an answer that is not about its form. */
  readonly fate: 'refused' | 'taken'
}

const utf8 = (text: string): Uint8Array => Buffer.from(text, 'utf8')
/** Each character is one byte. */
const bytes = (text: string): Uint8Array => Buffer.from(text, 'latin1')

/** A call with a piece of JSON text as an argument. */
const holding = (json: string): string =>
  `{"jsonrpc":"2.0","id":"odd","method":"tools/call","params":{"name":"loud__echo","arguments":{"given":${json}}}}`

const polluting = '{"__proto__":{"polluted":1},"constructor":{"prototype":{"polluted":2}}}'

const refused: Readonly<Record<string, Uint8Array>> = {
  'a byte that UTF-8 has not': bytes(holding('"\xff"')),
  'a lone continuation byte': bytes(holding('"\x80"')),
  'an overlong slash': bytes(holding('"\xc0\xaf"')),
  'a surrogate as UTF-8': bytes(holding('"\xed\xa0\x80"')),
  'a character beyond Unicode': bytes(holding('"\xf4\x90\x80\x80"')),
  'a character cut short': bytes(holding('"\xe2\x82"')),
  'UTF-16': Buffer.from(`\ufeff${holding('1')}`, 'utf16le'),
  'a control character in a string': bytes(holding('"\x01"')),
  'a NUL outside of strings': bytes(holding('1\x00')),
  'a number with a leading zero': utf8(holding('01')),
  'a number with a plus': utf8(holding('+1')),
  'a number without digits before its point': utf8(holding('.5')),
  NaN: utf8(holding('NaN')),
  Infinity: utf8(holding('Infinity')),
  'a hexadecimal number': utf8(holding('0x10')),
  'single quotes': utf8(holding("'one'")),
  'a comma too many': utf8(holding('[1,]')),
  'a comment': utf8(holding('1 /* one */')),
  'half a surrogate escape': utf8(holding('"\\ud8"')),
  'two values': utf8('{"jsonrpc":"2.0","id":1,"method":"ping"} {"jsonrpc":"2.0","id":2,"method":"ping"}'),
  'half a message': utf8('{"jsonrpc":"2.0","id":1,"meth'),
  'a string': utf8('"ping"'),
  'an id that is an object': utf8('{"jsonrpc":"2.0","id":{"__proto__":1},"method":"ping"}'),
  'an id that is null': utf8('{"jsonrpc":"2.0","id":null,"method":"ping"}'),
  'a method that is a number': utf8('{"jsonrpc":"2.0","id":1,"method":1}'),
  'params that are a string': utf8('{"jsonrpc":"2.0","id":1,"method":"ping","params":"x"}'),
  'an argument twice': utf8(holding('1,"given":2')),
  'a member twice': utf8('{"jsonrpc":"2.0","id":"odd","id":"odd","method":"ping","method":"ping"}'),
  'no more than a prototype': utf8('{"__proto__":{"jsonrpc":"2.0","id":1,"method":"ping"}}'),
}

const taken: Readonly<Record<string, Uint8Array>> = {
  'a lone high surrogate': utf8(holding('"\\ud800"')),
  'surrogates in the wrong order': utf8(holding('"\\udc00\\ud800"')),
  'a number that no double holds': utf8(holding('9007199254740993')),
  'a number beyond all doubles': utf8(holding('1e999')),
  'a number with a thousand digits': utf8(holding('9'.repeat(1_000))),
  'a number next to nothing': utf8(holding('1e-999')),
  'an escaped NUL': utf8(holding('"\\u0000"')),
  'line separators': utf8(holding('"\u2028\u2029"')),
  'an empty name': utf8(holding('{"":1}')),
  'prototypes as arguments': utf8(holding(polluting)),
  'prototypes as params': utf8(`{"jsonrpc":"2.0","id":"odd","method":"tools/list","params":${polluting}}`),
  'prototypes as _meta': utf8(`{"jsonrpc":"2.0","id":"odd","method":"tools/list","params":{"_meta":${polluting}}}`),
  'prototypes around a message': utf8(
    `{"jsonrpc":"2.0","id":"odd","method":"ping","__proto__":{"polluted":1},"constructor":{"prototype":{"polluted":2}}}`,
  ),
  'a tool that is named like a prototype': utf8(
    '{"jsonrpc":"2.0","id":"odd","method":"tools/call","params":{"name":"__proto__","arguments":{}}}',
  ),
  'a method that is named like a prototype': utf8('{"jsonrpc":"2.0","id":"odd","method":"__proto__","params":{}}'),
  'a method that every object has': utf8('{"jsonrpc":"2.0","id":"odd","method":"toString","params":{}}'),
  'prototypes at initialize': utf8(
    `{"jsonrpc":"2.0","id":"odd","method":"initialize","params":{"protocolVersion":"2025-11-25","capabilities":${polluting},"clientInfo":${polluting}}}`,
  ),
  'spaces wherever they may be': utf8(' {\t"jsonrpc" : "2.0" , "id" : "odd" , "method" : "ping" } '),
}

const list = (frames: Readonly<Record<string, Uint8Array>>, fate: OddFrame['fate']): readonly OddFrame[] =>
  Object.entries(frames).map(([name, frame]) => ({ name, bytes: frame, fate }))

/** Every odd frame, each with the fate that a gateway must give it. None may harm the frames after it. */
export const oddFrames: readonly OddFrame[] = [...list(refused, 'refused'), ...list(taken, 'taken')]

/** Ids in every form that a message may have: the answer contains the same characters. */
export const oddIds: readonly string[] = [
  '0',
  '-0',
  '""',
  '1.0',
  '1.5',
  '1E2',
  '1e-7',
  '9007199254740993',
  '-9223372036854775808',
  '123456789012345678901234567890',
  '1e400',
  '"1"',
  '"__proto__"',
  '"constructor"',
  '"\\ud800"',
  '"\\u0000"',
  '"\u2028"',
  '"ü\\"\\\\"',
]
