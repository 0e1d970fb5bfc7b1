import { expect, test } from 'vitest'
import * as z from 'zod'
import { type ConfigurablePlugin, configuredSecrets, parseConfig, showConfig } from '../src/index.ts'

const pin = z.string().min(4).meta({ writeOnly: true })

/** Names that do not look like those of secrets. */
const plugin: ConfigurablePlugin = {
  name: 'bank',
  key: 'bank',
  config: z.strictObject({
    bank: z.string(),
    pin,
    branch: z.string().default('main'),
    accounts: z.array(z.strictObject({ iban: z.string(), word: pin.optional() })).default([]),
    number: z.number().meta({ writeOnly: true }).optional(),
    reached: z
      .union([z.string(), z.strictObject({ by: z.record(z.string(), z.string()).meta({ writeOnly: true }) })])
      .optional(),
  }),
}

function parse(options: object) {
  return parseConfig(JSON.stringify({ backends: { mine: { bank: 'north', ...options } } }), {
    file: 'junctor.json',
    plugins: [plugin],
    env: {},
  })
}

function valid(options: object) {
  const parsed = parse(options)
  if (parsed.kind === 'invalid') throw new Error(JSON.stringify(parsed.problems))
  return parsed.config
}

const options = {
  pin: 'open sesame',
  accounts: [{ iban: 'NO12', word: 'abracadabra' }],
  number: 4711,
  reached: { by: { phone: 'five five' } },
}

test('a value that the schema marks is not shown; defaults and all else are', () => {
  const shown = showConfig(valid(options), {})
  expect(shown['backends']).toMatchObject({
    mine: {
      bank: 'north',
      pin: '(secret)',
      branch: 'main',
      accounts: [{ iban: 'NO12', word: '(secret)' }],
      number: '(secret)',
      reached: { by: { phone: '(secret)' } },
    },
  })
})

test('a value that the schema marks is removed from whatever the node writes', () => {
  expect(configuredSecrets(valid(options))).toEqual(
    expect.arrayContaining(['open sesame', 'abracadabra', '4711', 'five five']),
  )
})

test('a wrong value that the schema marks is not shown in the problem', () => {
  const parsed = parse({ ...options, pin: 'abc', accounts: [{ iban: 'NO12', word: 'xyz' }] })
  const problems = parsed.kind === 'invalid' ? parsed.problems : []
  expect(problems.map(({ path, got }) => [path, got])).toEqual([
    ['backends.mine.pin', 'text of 3 characters'],
    ['backends.mine.accounts[0].word', 'text of 3 characters'],
  ])
})

test('a schema with a name, or that contains itself, marks secrets, too', () => {
  const named = z.string().meta({ id: 'TestPin', writeOnly: true })
  const tree = z.strictObject({
    bank: z.string(),
    pin: named,
    get inner() {
      return z.optional(tree)
    },
  })
  const parsed = parseConfig(
    JSON.stringify({ backends: { mine: { bank: 'a', pin: 'first', inner: { bank: 'b', pin: 'second' } } } }),
    { file: 'junctor.json', plugins: [{ ...plugin, config: tree }], env: {} },
  )
  if (parsed.kind === 'invalid') throw new Error(JSON.stringify(parsed.problems))
  expect(parsed.config.backends[0]?.secrets.toSorted()).toEqual(['first', 'second'])
})
