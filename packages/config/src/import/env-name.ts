/** The environment variable that stands in for what another program asks its user for: `github-token` is `GITHUB_TOKEN`. */
export function envName(id: string): string {
  const name = id
    .toUpperCase()
    .replace(/[^A-Z0-9]+/g, '_')
    .replace(/^_+|_+$/g, '')
  return /^[A-Z]/.test(name) ? name : `INPUT_${name}`
}
