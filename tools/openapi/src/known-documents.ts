/** A public document, and where it can be had. */
export interface KnownDocument {
  readonly name: string
  readonly url: string
}

/** Large documents of APIs that many use. Each URL names one version. */
export const knownDocuments: readonly KnownDocument[] = [
  {
    name: 'github',
    url: 'https://cdn.jsdelivr.net/npm/@octokit/openapi@23.0.2/generated/api.github.com.json',
  },
  {
    name: 'stripe',
    url: 'https://raw.githubusercontent.com/stripe/stripe-mock/v0.203.0/embedded/openapi/spec3.json',
  },
  ...['api__v1', 'apis__apps__v1', 'apis__batch__v1'].map((group) => ({
    name: `kubernetes-${group}`,
    url: `https://raw.githubusercontent.com/kubernetes/kubernetes/v1.34.1/api/openapi-spec/v3/${group}_openapi.json`,
  })),
]
