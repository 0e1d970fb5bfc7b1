import { errors, interactionPolicy } from 'oidc-provider'

/**
 * Decides when people must log in or agree: as the library decides it, and also when the person of the browser's session may
 * not log in any more. Otherwise the library would fail, because it does not find the account. A request that has only unknown
 * scopes is refused before anybody is asked: the library would treat the consent to it as a refusal.
 *
 * @param scopes that clients may ask for
 */
export function createInteractionPolicy(scopes: readonly string[]): interactionPolicy.Prompt[] {
  const known = new Set(['openid', ...scopes])
  const policy = interactionPolicy.base()
  const isGone = new interactionPolicy.Check(
    'account_gone',
    'the person has to log in again',
    'login_required',
    ({ oidc }) => oidc.session?.accountId !== undefined && oidc.account === undefined,
  )
  const hasScope = new interactionPolicy.Check('no_scope', 'the request has no known scope', ({ oidc }) => {
    const scope = oidc.params?.['scope']
    const asked = typeof scope === 'string' ? scope : ''
    if (!asked.split(' ').some((one) => known.has(one))) throw new errors.InvalidScope('no scope is known', asked)
    return interactionPolicy.Check.NO_NEED_TO_PROMPT
  })
  policy.get('login')?.checks.add(isGone)
  policy.get('login')?.checks.add(hasScope, 0)
  return policy
}
