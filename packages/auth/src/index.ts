export { type ApiKey, hashApiKey } from './api-key.ts'
export { type Authenticator, type AuthenticatorOptions, createAuthenticator } from './authenticator.ts'
export {
  createCredentialsWatch,
  type CredentialsWatch,
  type CredentialsWatchOptions,
  type Standing,
} from './credentials-watch.ts'
export { type IssuerOptions } from './issuer-options.ts'
export { type Members, type TenantAccess } from './membership.ts'
export { type ListenPlan, type ListenVerdict, refusesPublicListen } from './public-listen.ts'
