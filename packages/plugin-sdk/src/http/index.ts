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
  retryAfterMs,
} from '@junctor/http-client'
