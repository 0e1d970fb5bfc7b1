import type { InteractionStep } from './interaction-step.ts'

/**
 * Lets a person go on who has logged in. What the browser has of somebody else ends first: the library would ask that one for
 * a logout, for which there is no page here.
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
      // The library compares both.
      interaction.session = { uid: before.uid } as typeof before
      await interaction.persist()
    }
  }
  return provider.interactionFinished(request, response, { login: { accountId, remember: false, ts: authTime } })
}
