// Requests to other servers, guarded against private addresses.
export {
  addressKind,
  type AddressKind,
  createHttpClient,
  type HttpClient,
  type HttpClientOptions,
  type HttpFailureKind,
  type HttpHead,
  type HttpRequest,
  HttpRequestError,
  type HttpResponse,
} from '@junctor/http-client'
export { retryAfterMs } from '@junctor/primitives'
