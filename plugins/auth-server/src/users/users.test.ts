import { expect, test } from 'vitest'
import { hashPassword } from './password-hash.ts'
import { createUsers } from './users.ts'

const password = 'correct horse battery'

test('a name is the same in every form in which a keyboard writes it', async () => {
  const user = { password: await hashPassword(password), claims: { org: 'acme' } }
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
