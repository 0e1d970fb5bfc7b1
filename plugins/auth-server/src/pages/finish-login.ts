import type { InteractionStep } from './interaction-step.ts'

/**
 * Ends the login page for a person who has logged in. If the browser has a session of somebody else, that session ends
 * first, also one that has begun on another page meanwhile. Otherwise the library would ask for a logout, and there is no page
 * for that.
 *
 * @param authTime when the person has logged in, in epoch seconds. 0: it is not known, so no client takes the login for a
 *   recent one
 */
export async function finishLogin(step: InteractionStep, accountId: string, authTime: number): Promise<void> {
  const { parts, request, response, interaction } = step
  const { provider } = parts
  const session = await provider.Session.get(provider.createContext(request, response))
  if (session.accountId !== undefined && session.accountId !== accountId) {
    session.accountId = undefined
    session.authorizations = {}
    await session.persist()
    if (interaction.session !== undefined) {
      // The library compares the interaction with the session.
      interaction.session = { uid: session.uid } as typeof interaction.session
      await interaction.persist()
    }
  }
  return provider.interactionFinished(request, response, { login: { accountId, remember: false, ts: authTime } })
}
