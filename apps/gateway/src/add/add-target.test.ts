import { expect, test } from 'vitest'
import { addTarget } from './add-target.ts'

const nowhere = (): boolean => false

test.each(['./nope', '../tools/nope', '/opt/nope', String.raw`C:\tools\nope`])(
  '%s is a program, also when there is none: no registry has such a name',
  (word) => {
    expect(addTarget(word, nowhere, [])).toMatchObject({ kind: 'command', backend: { command: word } })
  },
)

test.each(['weather', 'io.github.acme/weather'])('%s is a name in the registry', (name) => {
  expect(addTarget(name, nowhere, [])).toEqual({ kind: 'registered', name })
})
