/**
 * Whether the plugin of a backend runs in the node: what its `isolation` says. Any value that is not known, such as a
 * misspelt `process`, does not say so, because the code of that plugin is perhaps not trusted.
 */
export function runsInNode(isolation: unknown): boolean {
  return isolation === undefined || isolation === 'session' || isolation === 'tenant' || isolation === 'shared'
}
