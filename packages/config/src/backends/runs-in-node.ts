/**
 * Whether the plugin of a backend runs in the node, by its `isolation`. False for every unknown value, such as a misspelt
 * `process`, because the code of that plugin is perhaps not trusted.
 */
export function runsInNode(isolation: unknown): boolean {
  return isolation === undefined || isolation === 'session' || isolation === 'tenant' || isolation === 'shared'
}
