import { type Backend, emitNothing, silentLog } from '@junctor/contracts'
import { expect, test } from 'vitest'
import { createPluginErrors } from './plugin-errors.ts'

test('what a backend learns of itself later is seen through the wrapper', () => {
  let isKnown = false
  const backend: Backend = {
    name: 'late',
    correlates: true,
    get isPersonal() {
      return isKnown
    },
    get takesCallerToken() {
      return isKnown
    },
    get followsEra() {
      return isKnown
    },
    get methods() {
      return isKnown ? ['sky/look'] : []
    },
    get changesAlone() {
      return isKnown
    },
    open: () => Promise.reject(new Error('is not opened')),
    close: async () => {},
  }
  const errors = createPluginErrors({ log: silentLog, emit: emitNothing, reportError: () => {} })
  const wrapped = errors.backend('late', backend, errors.within('late'))
  const facts = () => [
    wrapped.isPersonal,
    wrapped.takesCallerToken,
    wrapped.followsEra,
    wrapped.methods,
    wrapped.changesAlone,
  ]
  expect(facts()).toEqual([false, false, false, [], false])
  isKnown = true
  expect(facts()).toEqual([true, true, true, ['sky/look'], true])
})
