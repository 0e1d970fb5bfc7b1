import { type LoginClient, type OAuthMemory, type PersonWithBrowser, redirectUrl } from '@junctor/testkit'
import { expect } from 'vitest'

/**
 * Gets tokens as a client does at its first connection: it is refused, the person agrees at the page that it names, and it
 * continues with what the browser brings back. The memory then has the tokens, for the next client.
 */
export async function getTokens(client: LoginClient, memory: OAuthMemory, person: PersonWithBrowser): Promise<void> {
  await expect(client.connect()).rejects.toThrow(/[Uu]nauthorized/)
  await client.finish((await person.authorize(memory.page as URL, redirectUrl)).searchParams)
}
