import crypto from 'node:crypto'
import { expect, onTestFinished, test, vi } from 'vitest'
import { createUsers, type Users } from './users.ts'

const password = 'correct horse battery'

/** Hashes of the password that differ in cost. */
const cheap = '$scrypt$ln=10,r=8,p=1$WBxnXjGwwQgFNifpu6aiNQ$kp0q6h0iTwUNi6JFU0UYHk3Q2f68GrSUIr67uqrZC+s'
const other = '$argon2id$v=19$m=256,t=2,p=2$gDVIY5fitim9g78vp0Ce2A$7QseIbZPfZ2V9Dp18XHeCXH5gjVCLmNVMkkZRLtsCAA'

/** Tries to log in. Resolves with the cost of the password check. */
async function costOf(users: Users, name: string): Promise<unknown> {
  const scrypt = vi.spyOn(crypto, 'scrypt')
  const argon2 = vi.spyOn(crypto, 'argon2')
  onTestFinished(() => void vi.restoreAllMocks())
  // The password of the others.
  expect(await users.login(name, password, `a client of ${name}`)).toEqual({ kind: 'refused' })
  const costs = [
    ...scrypt.mock.calls.map(([, , , options]) => options),
    ...argon2.mock.calls.map(([variant, { memory }]) => ({ variant, memory })),
  ]
  vi.restoreAllMocks()
  expect(costs).toHaveLength(1)
  return costs[0]
}

test('a name is the same in every form in which a keyboard writes it', async () => {
  const user = { password: cheap, claims: { org: 'acme' } }
  const name = 'José'.normalize('NFC')
  const users = createUsers({ [name]: user })
  for (const form of ['NFC', 'NFD'] as const) {
    // oxlint-disable-next-line no-await-in-loop -- one login after the other
    expect(await users.login(name.normalize(form), password, 'here')).toEqual({ kind: 'user', name })
  }
  expect(await users.login('Jose', password, 'here')).toEqual({ kind: 'refused' })
  expect(users.claims(name)).toEqual({ org: 'acme' })
  // The file may have the other form. Its name is that of the account.
  const decomposed = createUsers({ [name.normalize('NFD')]: user })
  expect(await decomposed.login(name, password, 'here')).toEqual({ kind: 'user', name: name.normalize('NFD') })
})

test('members of objects are no users', async () => {
  const users = createUsers({})
  for (const name of ['__proto__', 'constructor', 'toString']) {
    // oxlint-disable-next-line no-await-in-loop -- one login after the other
    expect(await users.login(name, password, 'here')).toEqual({ kind: 'refused' })
    expect(users.claims(name)).toBeUndefined()
  }
})

test('a name that nobody has takes as long as one in the file', async () => {
  const ada = { password: cheap, claims: {} }
  const bob = { password: other, claims: {} }
  const cheapCost = expect.objectContaining({ N: 1024, r: 8, p: 1 }) as unknown
  const otherCost = { variant: 'argon2id', memory: 256 }

  expect(await costOf(createUsers({}), 'eve')).toMatchObject({ N: 32_768, r: 8, p: 3 })
  expect(await costOf(createUsers({ ada }), 'eve')).toEqual(cheapCost)
  expect(await costOf(createUsers({ bob }), 'eve')).toEqual(otherCost)

  const [node, another] = [createUsers({ ada, bob }), createUsers({ ada, bob })]
  const costs: unknown[] = []
  for (let count = 0; count < 20; count += 1) {
    // oxlint-disable-next-line no-await-in-loop -- one login after the other
    const cost = await costOf(node, `eve ${count}`)
    // oxlint-disable-next-line no-await-in-loop -- see above
    expect(await costOf(another, `eve ${count}`)).toEqual(cost)
    costs.push(cost)
  }
  expect(costs).toContainEqual(cheapCost)
  expect(costs).toContainEqual(otherCost)
})

test('people who log in at the same time wait for each other', async () => {
  const users = createUsers({ ada: { password: cheap, claims: {} } })
  const names = ['ada', 'ada', 'eve', 'ada', 'eve', 'ada', 'ada', 'ada']
  const logins = await Promise.all(names.map((name) => users.login(name, password, 'here')))
  expect(logins.map(({ kind }) => kind)).toEqual(names.map((name) => (name === 'ada' ? 'user' : 'refused')))
})

test('no more is guessed at the same time than one after the other', async () => {
  const users = createUsers({ ada: { password: cheap, claims: {} } })
  const guesses = await Promise.all(Array.from({ length: 14 }, () => users.login('ada', 'wrong', 'here')))
  const expected = Array.from({ length: 14 }, (_, index) => (index < 10 ? 'refused' : 'too_many'))
  expect(guesses.map(({ kind }) => kind).toSorted()).toEqual(expected)
  expect(await users.login('ada', password, 'here')).toMatchObject({ kind: 'too_many' })
  // Those who know their password are not counted.
  for (let count = 0; count < 20; count += 1) {
    // oxlint-disable-next-line no-await-in-loop -- one login after the other
    expect(await users.login('ada', password, 'elsewhere')).toMatchObject({ kind: 'user' })
  }
})
