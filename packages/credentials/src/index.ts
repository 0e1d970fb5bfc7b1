export { type ClientCredentialsOptions, createClientCredentials } from './machine/client-credentials.ts'
export {
  createPersonCredentials,
  type PersonCredentials,
  type PersonCredentialsOptions,
} from './create-person-credentials.ts'
export {
  createExchanges,
  type ExchangedTokens,
  type Exchanges,
  type MissingToken,
  type ObtainTokens,
} from './exchange/exchanged-tokens.ts'
export { createAssertionExchange, type IssuingParty } from './exchange/assertion-exchange.ts'
export { createTokenExchange } from './exchange/token-exchange.ts'
export { judgeUrl, type UrlFault } from './oauth/judge-url.ts'
export { clientAuthFor, configuredClient, type OAuthClient, type OAuthClientConfig } from './oauth/oauth-client.ts'
export { createOAuthHttp, type OAuthHttp } from './oauth/oauth-http.ts'
export { textWithoutNulls } from './oauth/text-without-nulls.ts'
export { openJson, sealJson } from './person/sealed-json.ts'
export { createSingleUse, type SingleUse, type SingleUseRecord } from './person/single-use.ts'
export type { MissingGrant, PersonTokens } from './person/person-tokens.ts'
