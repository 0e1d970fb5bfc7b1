import { escapeHtml, page } from '@junctor/plugin-sdk/pages'

/** The page for a request that cannot go on. */
export function errorPage(error: string, description: string): string {
  const body = `<p class="problem">${escapeHtml(description === '' ? error : description)}</p><p>Go back to the program that sent you here, and start again.</p>`
  return page('This does not work', body)
}
