import { PersonWithBrowser } from '@junctor/testkit'
import { hashPassword } from '@junctor/plugin-auth-server'
import { expect } from 'vitest'
import { demo } from '../src/in-gateway.ts'
import { Program } from '../src/login/program.ts'
import { password, withLogin } from '../src/login/with-login.ts'
import { parsedFor } from '../src/parsed-for.ts'
import { verifies } from '../src/verifies.ts'

const http = { ways: ['http'], revisions: ['2025-11-25'] } as const

/** Hashes of `password` that passlib (scrypt) and argon2-cffi have made. */
const hashes = {
  cara: '$scrypt$ln=15,r=8,p=3$xycChWUkTjSdGwi3EVVmfg$t4xJ4gEhn/Kn89ruhq/RYuCoPDLoEB2O45UCofdJZfc',
  dora: '$scrypt$ln=14,r=8,p=1$U7T2fVm+KisQQjnYVO2ZJQ$Zqk3kWnx8XF/13ODOD4y7IkFdsE0La+HfIQ7hWciu0c',
  emma: '$argon2id$v=19$m=65536,t=3,p=4$TCVue2PROIIF5aqRZicXPw$Q8Z9k1UVVL3c9D5jwc6+PSwJ/8qe6DiiFImb0YcGWYs',
  fred: '$argon2i$v=19$m=256,t=2,p=2$5uSsexwdKQaHzu2NhyZzig$XuMAsUa41CP+WCBnw/2rd2OtaBuoJaTLh73dXlgoPMs',
  gina: '$argon2d$v=19$m=256,t=2,p=2$CTBEquHWPse4gUsUw8qAgQ$pj3tOqCKvwb6r4TYcDCgS0oEX9YlaWT+Vio751fPY/g',
} as const

const usersOf = (known: Readonly<Record<string, string>>) =>
  Object.fromEntries(Object.entries(known).map(([name, hash]) => [name, { password: hash }]))

/** Hashes that no gateway takes, and what it says. */
const refused = {
  'a plain password': [password, /as `junctor hash-password` prints it/],
  'another algorithm': ['$2b$12$R9h/cIPz0gi.URNNX3kh2OPST9/PgBkqquzi.Ss7KIUgO2t0jWMUW', /\$argon2id\$v=19\$m=/],
  'too much memory': [hashes.emma.replace('m=65536', 'm=1048576'), /at most 256 MiB, not 1024 MiB/],
  'too much time': [hashes.cara.replace('p=3', 'p=64'), /at most 1024 MiB, not 2048 MiB/],
} as const

verifies('LOGIN-18', http, async (cell) => {
  const known = { ...hashes, hans: await hashPassword(password) }
  await withLogin(cell, { users: usersOf(known) }, async (site) => {
    const program = new Program(site)
    await program.register()
    for (const name of Object.keys(known)) {
      const [wrong] = await new PersonWithBrowser(name, `${password}.`).attempts(program.page(), 1)
      expect([name, wrong]).toEqual([name, 401])
      expect(await program.code({}, new PersonWithBrowser(name, password))).toMatch(/./)
    }
    // With the password of the others.
    const [nobodys] = await new PersonWithBrowser('nobody', password).attempts(program.page(), 1)
    expect(nobodys).toBe(401)

    const parsed = (hash: string) =>
      parsedFor({
        publicUrl: site.url,
        backends: { demo: demo(), login: { authServer: { users: usersOf({ ada: hash }) } } },
        tenants: { default: { backends: ['demo'] } },
      })
    expect(parsed(known.hans)).toMatchObject({ kind: 'valid' })
    for (const [hash, expected] of Object.values(refused)) {
      expect(parsed(hash)).toMatchObject({
        kind: 'invalid',
        problems: [{ got: `text of ${hash.length} characters`, expected: expect.stringMatching(expected) as string }],
      })
    }
  })
})
