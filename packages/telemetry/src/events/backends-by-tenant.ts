/** The tenants of a configuration, each with the names of its backends. */
export type BackendsByTenant = ReadonlyMap<string, readonly string[]>
