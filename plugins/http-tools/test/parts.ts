import { openBackend, RequestError, type TestClient } from '@junctor/plugin-sdk/testing'
import { startComponent, type TestComponent } from '@junctor/testkit'
import { afterEach, expect } from 'vitest'
import { httpToolsPlugin } from '../src/plugin.ts'

/** The description of the one tool that components have by default. */
export const weather: Readonly<Record<string, unknown>> & { readonly name: string; readonly inputSchema: object } = {
  name: 'weather',
  title: 'Weather',
  description: 'Get weather information for a location',
  version: '1.0.0',
  inputSchema: { type: 'object', properties: { location: { type: 'string' } }, required: ['location'] },
}
/** Arguments that fit the schema of {@link weather}. */
export const paris = { location: 'Paris' }
/** The answer of a component, unless a test gives another. */
export const sunny: object = { content: [{ type: 'text', text: 'sunny' }] }

/** What is closed after each test, the last first. */
export const opened: { close(): Promise<void> }[] = []
afterEach(async () => {
  for (const one of opened.splice(0).toReversed()) await one.close()
})

/** A component that is closed after the test. */
export async function component(options: Partial<Parameters<typeof startComponent>[0]> = {}): Promise<TestComponent> {
  const started = await startComponent({ description: weather, answer: () => sunny, ...options })
  opened.push(started)
  return started
}

/** A client of components, which is closed after the test. */
export async function client(options: object, revision = '2024-11-05'): Promise<TestClient> {
  const context = { revision: revision as '2024-11-05' }
  const one = await openBackend(httpToolsPlugin, { config: { refresh: '200ms', ...options }, context })
  opened.push(one)
  return one
}

/** The names of the listed tools. */
export const namesOf = async (one: TestClient): Promise<readonly string[]> =>
  (await one.listTools()).map(({ name }) => name)

/** What a call is refused with. */
export async function refusal(call: Promise<unknown>): Promise<RequestError> {
  const refused = await call.then(
    (result) => ({ result }),
    (error: unknown) => error,
  )
  expect(refused).toBeInstanceOf(RequestError)
  return refused as RequestError
}
