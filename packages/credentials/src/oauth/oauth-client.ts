import { createPrivateKey, type webcrypto } from 'node:crypto'
import { JunctorError } from '@junctor/protocol'
import {
  type AuthorizationServer,
  type Client,
  type ClientAuth,
  ClientSecretPost,
  None,
  PrivateKeyJwt,
} from 'oauth4webapi'

/** How a client presents a secret (RFC 6749, section 2.3.1). */
export type SecretMethod = 'client_secret_basic' | 'client_secret_post'

/** A client of an authorization server: what it is known by there, and how it proves itself. */
export interface OAuthClient {
  readonly clientId: string
  readonly proof:
    | { readonly kind: 'none' }
    /** `method`: the one that it is registered with. Undefined: one that the server takes. */
    | { readonly kind: 'secret'; readonly secret: string; readonly method?: SecretMethod | undefined }
    | { readonly kind: 'key'; readonly key: webcrypto.CryptoKey; readonly keyId: string | undefined }
}

/** A client in a configuration, with one of `clientSecret` and `privateKey`. */
export interface OAuthClientConfig {
  readonly clientId: string
  readonly clientSecret?: string | undefined
  /** A key in PEM (PKCS #8) in place of the secret. It signs assertions (RFC 7523). */
  readonly privateKey?: string | undefined
  /** The id by which the authorization server finds the key. */
  readonly keyId?: string | undefined
}

/**
 * The client that a configuration describes.
 *
 * @throws JunctorError `CONFIG_INVALID` when the private key cannot be read
 */
export function configuredClient({ clientId, clientSecret, privateKey, keyId: kid }: OAuthClientConfig): OAuthClient {
  if (privateKey === undefined) return { clientId, proof: { kind: 'secret', secret: clientSecret ?? '' } }
  return { clientId, proof: { kind: 'key', key: readPrivateKey(privateKey), keyId: kid } }
}

/** The client in the form of oauth4webapi. */
export function clientOf({ clientId }: OAuthClient): Client {
  return { client_id: clientId }
}

/**
 * How a client proves itself at this server (RFC 6749, section 2.3; RFC 7523).
 *
 * @throws JunctorError `BACKEND_REFUSED` when the server does not take what the client has
 */
export function clientAuthFor({ clientId, proof }: OAuthClient, server: AuthorizationServer): ClientAuth {
  if (proof.kind === 'none') return None()
  // The default of RFC 8414.
  const methods = server.token_endpoint_auth_methods_supported ?? ['client_secret_basic']
  if (proof.kind === 'key') {
    if (methods.includes('private_key_jwt')) return PrivateKeyJwt({ key: proof.key, ...keyId(proof.keyId) })
    throw refused('private_key_jwt', methods)
  }
  const method = proof.method ?? secretMethodAmong(methods)
  if (method === 'client_secret_basic') return basicAuth(clientId, proof.secret)
  if (method === 'client_secret_post') return ClientSecretPost(proof.secret)
  // It registers clients with a secret, and takes none.
  if (methods.includes('none')) return None()
  throw refused('a client secret', methods)
}

/** The method for a secret that a server takes. Undefined: it takes none. */
export function secretMethodAmong(methods: readonly string[]): SecretMethod | undefined {
  const known: readonly SecretMethod[] = ['client_secret_basic', 'client_secret_post']
  return known.find((method) => methods.includes(method))
}

/**
 * RFC 6749, section 2.3.1. That of oauth4webapi encodes hyphens too, which is right, and which servers that do not decode
 * (many) do not understand.
 */
function basicAuth(clientId: string, secret: string): ClientAuth {
  const pair = [clientId, secret].map((text) => encodeURIComponent(text)).join(':')
  return (_server, _client, _body, headers) => {
    headers.set('authorization', `Basic ${Buffer.from(pair).toString('base64')}`)
  }
}

function keyId(kid: string | undefined): { readonly kid?: string } {
  return kid === undefined ? {} : { kid }
}

function refused(given: string, methods: readonly string[]): JunctorError {
  const text = `The authorization server does not take ${given}: it takes ${methods.join(', ')}`
  return new JunctorError('BACKEND_REFUSED', text)
}

const ellipticCurves: Readonly<Record<string, string>> = { prime256v1: 'P-256', secp384r1: 'P-384', secp521r1: 'P-521' }

/**
 * Reads a private key that signs assertions: PEM (PKCS #8), of RSA, an elliptic curve or Ed25519.
 *
 * @throws JunctorError `CONFIG_INVALID` when it is not one
 */
function readPrivateKey(pem: string): webcrypto.CryptoKey {
  try {
    const key = createPrivateKey(pem)
    return key.toCryptoKey(algorithmOf(key.asymmetricKeyType, key.asymmetricKeyDetails?.namedCurve), false, ['sign'])
  } catch (error) {
    const text = 'Expected a private key in PEM, of RSA, an elliptic curve or Ed25519'
    throw new JunctorError('CONFIG_INVALID', text, { cause: error })
  }
}

type KeyAlgorithm = { readonly name: string; readonly namedCurve?: string; readonly hash?: string }

function algorithmOf(type: string | undefined, curve: string | undefined): KeyAlgorithm {
  if (type === 'rsa') return { name: 'RSASSA-PKCS1-v1_5', hash: 'SHA-256' }
  if (type === 'ed25519') return { name: 'Ed25519' }
  const namedCurve = type === 'ec' ? ellipticCurves[curve ?? ''] : undefined
  if (namedCurve === undefined) throw new Error('it is of another kind')
  return { name: 'ECDSA', namedCurve }
}
