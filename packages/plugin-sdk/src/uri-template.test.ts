import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { parseUriTemplate } from './uri-template.ts'

describe('matching', () => {
  it.each([
    ['demo://greeting/{name}', 'demo://greeting/Ada', { name: 'Ada' }],
    ['demo://greeting/{name}', 'demo://greeting/Ada%20L%2Fb', { name: 'Ada L/b' }],
    ['test://template/{id}/data', 'test://template/123/data', { id: '123' }],
    ['n://{a}/{b}', 'n://x/y', { a: 'x', b: 'y' }],
    ['n://{a}-{b}', 'n://x-y-z', { a: 'x', b: 'y-z' }],
    ['n://{a}.txt', 'n://x.txt.txt', { a: 'x.txt' }],
    ['n://fixed', 'n://fixed', {}],
  ])('%s describes %s', (template, uri, variables) => {
    expect(parseUriTemplate(template).match(uri)).toEqual(variables)
  })

  it.each([
    ['demo://greeting/{name}', 'demo://greeting/'],
    ['demo://greeting/{name}', 'demo://greeting'],
    ['demo://greeting/{name}', 'demo://greetings/Ada'],
    ['demo://greeting/{name}', 'demo://greeting/Ada/Lovelace'],
    ['demo://greeting/{name}', 'demo://greeting/Ada?x'],
    ['demo://greeting/{name}', 'demo://greeting/%E0%A4'],
    ['test://template/{id}/data', 'test://template/123/date'],
    ['test://template/{id}/data', 'test://template//data'],
    ['n://{a}/{b}', 'n://x'],
    ['n://{a}b', 'n://b'],
    ['n://fixed', 'n://fixed/not'],
  ])('%s does not describe %s', (template, uri) => {
    expect(parseUriTemplate(template).match(uri)).toBeUndefined()
  })

  it('a variable may hold any text: percent-encoding preserves it', () => {
    fc.assert(
      fc.property(
        fc.string({ minLength: 1, unit: 'grapheme' }),
        fc.string({ minLength: 1, unit: 'grapheme' }),
        (a, b) => {
          const uri = `n://${encodeURIComponent(a)}/of/${encodeURIComponent(b)}`
          expect(parseUriTemplate('n://{a}/of/{b}').match(uri)).toEqual({ a, b })
        },
      ),
    )
  })

  it('a long hostile URI is refused in linear time', () => {
    const { match } = parseUriTemplate('n://{a}a{b}a{c}a{d}!')
    const started = performance.now()
    expect(match(`n://${'a'.repeat(1_000_000)}`)).toBeUndefined()
    expect(performance.now() - started).toBeLessThan(20_000)
  })
})

it('the variables are listed in order', () => {
  expect(parseUriTemplate('n://{b}/{a}').variables).toEqual(['b', 'a'])
})

it.each([
  ['n://{+path}', 'expected simple expressions such as {name}, got {+path}'],
  ['n://{a,b}', 'expected simple expressions such as {name}, got {a,b}'],
  ['n://{}', 'expected simple expressions such as {name}, got {}'],
  ['n://{a}/{a}', 'expected each variable once'],
  ['n://{a}{b}', 'expected text between two variables'],
])('an unsupported template is refused: %s', (template, reason) => {
  expect(() => parseUriTemplate(template)).toThrow(`URI template ${JSON.stringify(template)}: ${reason}`)
})
