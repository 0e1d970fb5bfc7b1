import type { InteractionStep } from './interaction-step.ts'

/**
 * Ends the login page for a person who has logged in. If the browser has a session of somebody else, that session ends
 * first. Otherwise the library would ask for a logout, and there is no page for that.
 *
 * @param authTime when the person has logged in, in epoch seconds. 0: it is not known, so no client takes the login for a
 *   recent one
 */
export async function finishLogin(step: InteractionStep, accountId: string, authTime: number): Promise<void> {
  const { parts, request, response, interaction } = step
  const { provider } = parts
  const before = interaction.session
  if (before?.accountId !== undefined && before.accountId !== accountId) {
    const session = await provider.Session.findByUid(before.uid)
    if (session !== undefined) {
      session.accountId = undefined
      session.authorizations = {}
      await session.persist()
      // The library compares the interaction with the session.
      interaction.session = { uid: before.uid } as typeof before
      await interaction.persist()
    }
  }
  return provider.interactionFinished(request, response, { login: { accountId, remember: false, ts: authTime } })
}
