/**
 * Returns the environment variable that replaces an input of another program: `github-token` becomes `GITHUB_TOKEN`.
 */
export function envName(id: string): string {
  const name = id
    .toUpperCase()
    .replace(/[^A-Z0-9]+/g, '_')
    .replace(/^_+|_+$/g, '')
  return /^[A-Z]/.test(name) ? name : `INPUT_${name}`
}
