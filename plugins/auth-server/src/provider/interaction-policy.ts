import { interactionPolicy } from 'oidc-provider'

/**
 * When people are asked: as the library does it, and besides when the person of a browser is not one any more. Without this,
 * the library would fail for an account that it does not find.
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
