/** The scopes of all texts together, each once. Undefined: none. */
export function unitedScopes(...texts: readonly (string | null | undefined)[]): string | undefined {
  const scopes = new Set(texts.flatMap((text) => text?.split(' ') ?? []).filter((scope) => scope !== ''))
  return scopes.size === 0 ? undefined : [...scopes].join(' ')
}
