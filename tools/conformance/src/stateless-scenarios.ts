/** The scenarios for clients of 2026-07-28. */
export const statelessScenarios: ReadonlySet<string> = new Set([
  'request-metadata',
  'sep-2322-client-request-state',
  'http-standard-headers',
  'http-custom-headers',
  'http-invalid-tool-headers',
  'json-schema-ref-no-deref',
])
