export { addressKind, type AddressKind } from './address-kind.ts'
export {
  createHttpClient,
  type HttpClient,
  type HttpClientOptions,
  type HttpRequest,
  type HttpResponse,
} from './http-client.ts'
export { HttpRequestError, type HttpFailureKind } from './http-request-error.ts'
export type { HttpHead } from './http-round.ts'
