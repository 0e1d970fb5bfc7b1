import { escapeHtml, page } from '@junctor/plugin-sdk/pages'

const title = 'This does not work'

/** The page for a login that cannot be continued. */
export function errorPage(error: string, description: string): string {
  const text = description === '' ? error : description
  return page(title, `${problem(text)}<p>Go back to the program that sent you here, and start again.</p>`)
}

/**
 * The page for a login that has failed. The person can try again.
 *
 * @param login the path of the page where the login began
 */
export function failedLoginPage(text: string, login: string): string {
  return page(title, `${problem(text)}<p><a href="${escapeHtml(login)}">Try again</a></p>`)
}

function problem(text: string): string {
  return `<p class="problem">${escapeHtml(text)}</p>`
}
