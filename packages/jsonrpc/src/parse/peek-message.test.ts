import { describe, expect, test } from 'vitest'
import { peekMessage } from './peek-message.ts'

const call = '{"jsonrpc":"3.0","id":7,"method":"add","params":[1,2]}'

describe('the start of a frame', () => {
  test.each([
    ['a whole call', call, '3.0', '7'],
    ['a call of 2.0', '{"jsonrpc":"2.0","id":"a","method":"x"}', '2.0', '"a"'],
    ['space around', ` \n ${call}\n`, '3.0', '7'],
    ['other spellings', '{"json\\u0072pc":"3\\u002e0","id":"\\u0061","method":"x"}', '3.0', '"a"'],
    ['an id that no double holds', '{"id":9007199254740993,"jsonrpc":"3.0","method":"x"}', '3.0', '9007199254740993'],
    ['null, an id of 3.0', '{"id":null,"jsonrpc":"3.0","method":"x"}', '3.0', 'null'],
    ['null, no id of 2.0', '{"id":null,"jsonrpc":"2.0","method":"x"}', '2.0', undefined],
    ['an id of no kind', '{"id":[1],"jsonrpc":"3.0","method":"x"}', '3.0', undefined],
    ['an id too long', `{"id":"${'x'.repeat(300)}","jsonrpc":"3.0","method":"x"}`, '3.0', undefined],
    ['a notification', '{"jsonrpc":"3.0","method":"x"}', '3.0', undefined],
    ['an answer', '{"jsonrpc":"3.0","id":7,"result":{"method":"x"}}', '3.0', undefined],
    ['a batch', `[${call},{"jsonrpc":"2.0"}]`, '3.0', undefined],
    ['a batch of 2.0 first', `[{"jsonrpc":"2.0","id":1,"method":"x"},${call}]`, '2.0', undefined],
    ['a version in params', '{"params":{"jsonrpc":"3.0","id":1,"method":"x"}}', undefined, undefined],
    ['a version in a text', '{"params":"{\\"jsonrpc\\":\\"3.0\\"}"}', undefined, undefined],
    ['another version', '{"jsonrpc":"4.0","id":1,"method":"x"}', undefined, '1'],
    ['no text', '', undefined, undefined],
    ['no object', '"jsonrpc":"3.0"', undefined, undefined],
    ['an empty batch', '[]', undefined, undefined],
    ['broken off in its params', '{"jsonrpc":"3.0","id":7,"method":"add","params":[1,{"a":"', '3.0', '7'],
    ['broken off in its id', '{"jsonrpc":"3.0","method":"add","id":71', '3.0', undefined],
    ['broken off in its version', '{"id":7,"method":"add","jsonrpc":"3.', undefined, '7'],
    ['broken off in a name', '{"jsonrpc":"3.0","\\', '3.0', undefined],
    ['broken off in an escape', '{"jsonrpc":"3.0","\\u0', undefined, undefined],
  ])('%s', (_name, text, dialect, id) => {
    expect(peekMessage(text)).toEqual({ dialect, id })
  })

  test('a start of any length gives no wrong result', () => {
    for (let length = 0; length <= call.length; length += 1) {
      const { dialect, id } = peekMessage(call.slice(0, length))
      expect(dialect ?? '3.0').toBe('3.0')
      expect(id ?? '7').toBe('7')
    }
  })
})
