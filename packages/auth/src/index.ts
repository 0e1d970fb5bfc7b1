export { type ApiKey, hashApiKey } from './api-key.ts'
export { type Authenticator, type AuthenticatorOptions, createAuthenticator } from './authenticator.ts'
export { type ListenPlan, type ListenVerdict, refusesPublicListen } from './public-listen.ts'
