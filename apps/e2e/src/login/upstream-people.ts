import { PersonWithBrowser } from '@junctor/testkit'
import { Program } from './program.ts'
import { password } from './with-login.ts'
import type { UpstreamSite } from './with-upstream.ts'

/** Somebody who logs in at a provider. */
export const at = (provider: string, name = 'carla'): PersonWithBrowser =>
  new PersonWithBrowser(name, password, provider)

/** A client that has registered itself. */
export async function registered(site: UpstreamSite): Promise<Program> {
  const program = new Program(site)
  await program.register()
  return program
}

/** A login of which the browser has the answer of `corp`, and has not brought it back yet. */
export async function answered(site: UpstreamSite, program: Program, person: PersonWithBrowser): Promise<URL> {
  return person.authorize(program.page(), `${site.url}/oauth/callback/corp`)
}

/** Begins a login, up to the page of `corp`. Resolves with this page, which the browser has not opened yet. */
export async function sentToCorp(
  site: UpstreamSite,
  program: Program,
  person: PersonWithBrowser,
  more: Readonly<Record<string, string>> = {},
): Promise<URL> {
  return person.authorize(program.page(more), (url) => url.href.startsWith(`${site.corp.url}/auth`))
}

/** A URL with other parameters. `undefined`: without this one. */
export const changed = (url: URL, values: Readonly<Record<string, string | undefined>>): URL => {
  const copy = new URL(url)
  for (const [name, value] of Object.entries(values)) {
    if (value === undefined) copy.searchParams.delete(name)
    else copy.searchParams.set(name, value)
  }
  return copy
}
