import { interactionPolicy } from 'oidc-provider'

/**
 * Decides when people must log in or agree: as the library decides it, and also when the person of the browser's session may
 * not log in any more. Otherwise the library would fail, because it does not find the account.
 */
export function createInteractionPolicy(): interactionPolicy.Prompt[] {
  const policy = interactionPolicy.base()
  const isGone = new interactionPolicy.Check(
    'account_gone',
    'the person has to log in again',
    'login_required',
    ({ oidc }) => oidc.session?.accountId !== undefined && oidc.account === undefined,
  )
  policy.get('login')?.checks.add(isGone)
  return policy
}
