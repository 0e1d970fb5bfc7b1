import { sendPage } from '@junctor/plugin-sdk/pages'
import { connectedPage } from './connection-pages.ts'
import { type Owner, ownerOf } from './owner.ts'
import { browserOf, formTokenOf, readOwnForm, rememberBrowser, sendProblem, type Visit } from './visit.ts'

/** The forms of this page are bound to it. */
const thisPage = 'grant'

const stranger = 'This browser has not connected anybody here. Open the link that your program shows.'

/** Shows what the person of this browser has granted. */
export async function showGrant(visit: Visit): Promise<void> {
  const owner = ownerOf(visit)
  return owner === undefined ? sendProblem(visit, 403, stranger) : showAccess(visit, owner)
}

/** Ends what the person of this browser has granted, here and at the issuer. */
export async function endGrant(visit: Visit): Promise<void> {
  const [owner, browser] = [ownerOf(visit), browserOf(visit)]
  if (owner === undefined) return sendProblem(visit, 403, stranger)
  if ((await readOwnForm(visit, browser, thisPage)) === undefined) {
    return sendProblem(visit, 403, 'This form was not sent from this page.')
  }
  await visit.parts.grants.end(owner.person)
  return showAccess(visit, owner)
}

/** Shows what a person has granted. */
export async function showAccess(visit: Visit, { person, label }: Owner): Promise<void> {
  const { parts, response } = visit
  const grant = await parts.grants.read(person)
  const browser = rememberBrowser(visit)
  const shown = {
    backend: parts.backend,
    person: label,
    tenant: person.tenant,
    since: grant === undefined ? undefined : new Date(grant.since),
    scope: grant?.tokens.scope ?? grant?.scope ?? undefined,
    formToken: formTokenOf(browser, thisPage),
  }
  sendPage(response, 200, connectedPage(shown))
}
