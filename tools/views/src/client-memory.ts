import type {
  OAuthClientMetadata,
  OAuthClientProvider,
  OAuthDiscoveryState,
  StoredOAuthClientInformation,
  StoredOAuthTokens,
} from '@modelcontextprotocol/client'

/** What an official client keeps of its authorization: nothing, at first. */
export class ClientMemory implements OAuthClientProvider {
  readonly redirectUrl: string
  readonly clientMetadata: OAuthClientMetadata
  #page: URL | undefined
  #client: StoredOAuthClientInformation | undefined
  #tokens: StoredOAuthTokens | undefined
  #verifier = ''
  #discovered: OAuthDiscoveryState | undefined

  /** @param callback where the person is sent with the code */
  constructor(callback: string) {
    this.redirectUrl = callback
    this.clientMetadata = {
      client_name: 'A client in a browser test',
      redirect_uris: [callback],
      grant_types: ['authorization_code', 'refresh_token'],
      response_types: ['code'],
      token_endpoint_auth_method: 'none',
    }
  }

  /** The page that the person has to open. */
  page(): URL {
    if (this.#page === undefined) throw new Error('Expected the client to name a page')
    return this.#page
  }

  /** Its refresh token, or else its access token, and its id. */
  known(): { readonly token: string; readonly id: string } {
    const { refresh_token: refresh, access_token: access = '' } = this.#tokens ?? {}
    return { token: refresh ?? access, id: this.#client?.client_id ?? '' }
  }

  clientInformation(): StoredOAuthClientInformation | undefined {
    return this.#client
  }

  saveClientInformation(client: StoredOAuthClientInformation): void {
    this.#client = client
  }

  tokens(): StoredOAuthTokens | undefined {
    return this.#tokens
  }

  saveTokens(tokens: StoredOAuthTokens): void {
    this.#tokens = tokens
  }

  redirectToAuthorization(page: URL): void {
    this.#page = page
  }

  saveDiscoveryState(state: OAuthDiscoveryState): void {
    this.#discovered = state
  }

  discoveryState(): OAuthDiscoveryState | undefined {
    return this.#discovered
  }

  saveCodeVerifier(verifier: string): void {
    this.#verifier = verifier
  }

  codeVerifier(): string {
    return this.#verifier
  }
}
