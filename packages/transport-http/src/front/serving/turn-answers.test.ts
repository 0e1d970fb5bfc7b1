import { IncomingMessage, ServerResponse } from 'node:http'
import { Socket } from 'node:net'
import { setImmediate as turn } from 'node:timers/promises'
import { expect, test, vi } from 'vitest'
import type { ErrorReporter } from '@junctor/contracts'
import { mostTogether, TurnAnswers } from './turn-answers.ts'

function createResponse(): ServerResponse {
  return new ServerResponse(new IncomingMessage(new Socket()))
}

function createAnswers() {
  const reportError = vi.fn<ErrorReporter>()
  return { reportError, answers: new TurnAnswers(reportError) }
}

test('the answers of one turn are written at its end', async () => {
  const { answers } = createAnswers()
  const responses = [createResponse(), createResponse()]
  for (const response of responses) answers.add(response, 200, '{}', undefined)
  await Promise.resolve()
  expect(responses.map(({ headersSent }) => headersSent)).toEqual([false, false])
  await turn()
  expect(responses.map(({ headersSent, writableEnded }) => headersSent && writableEnded)).toEqual([true, true])
})

test('the first answer waits for a limited number of others', async () => {
  const { answers } = createAnswers()
  const responses = Array.from({ length: mostTogether + 1 }, createResponse)
  for (const response of responses) answers.add(response, 200, '{}', undefined)
  expect(responses.filter(({ headersSent }) => headersSent)).toHaveLength(mostTogether)
  await turn()
  expect(responses.every(({ headersSent }) => headersSent)).toBe(true)
})

test('an answer that cannot be written does not stop the others', async () => {
  const { answers, reportError } = createAnswers()
  const [broken, whole] = [createResponse(), createResponse()]
  answers.add(broken, 200, '{}', { name: 'two\nlines' })
  answers.add(whole, 200, '{}', undefined)
  await turn()
  expect(reportError).toHaveBeenCalledOnce()
  expect(broken.destroyed).toBe(true)
  expect(whole.writableEnded).toBe(true)
})
