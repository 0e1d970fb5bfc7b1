import { EventEmitter } from 'node:events'
import { setImmediate } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { createStopSignals } from './stop-signals.ts'

async function afterHangUp(isTTY: boolean, isOpen: boolean): Promise<readonly NodeJS.Signals[]> {
  const target = Object.assign(new EventEmitter(), { stderr: { isTTY } })
  const signals: NodeJS.Signals[] = []
  void createStopSignals(target as never, () => isOpen).first.then((signal) => signals.push(signal))
  target.emit('SIGHUP')
  await setImmediate()
  return signals
}

test('a process ends when its terminal is closed; any other SIGHUP does not end it', async () => {
  expect(await afterHangUp(true, false)).toEqual(['SIGHUP'])
  expect(await afterHangUp(true, true)).toEqual([])
  // A service, or one that was started with nohup.
  expect(await afterHangUp(false, false)).toEqual([])
})
