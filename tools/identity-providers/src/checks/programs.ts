import { type Check, expectSame } from '../check.ts'
import { pinged, revoke, tokenOfProgram } from '../requests.ts'
import type { Scene } from '../scene.ts'
import { claimsOf, isFor } from '../token-claims.ts'

/** Programs with a service account, their tokens, and the answers of a gateway. */
export function programChecks(scene: Scene): readonly Check[] {
  return [...checksOfSignedTokens(scene), ...checksOfAskedTokens(scene)]
}

/** The gateway checks the signature, and asks nobody. */
function checksOfSignedTokens({ acme, foreign, gateway: { endpoint }, asking }: Scene): readonly Check[] {
  return [
    {
      name: 'a program with client credentials gets in',
      run: async () =>
        expectSame(await statusOf(endpoint, await tokenOfProgram(acme, acme.robot, 'mcp')), 200, 'status'),
    },
    {
      name: 'a token without the scope of the audience is refused',
      run: async () => {
        const token = await tokenOfProgram(acme, acme.robot, 'sums')
        expectSame(isFor(claimsOf(token), endpoint), false, 'whether it is for the gateway')
        const { status, why } = await pinged(endpoint, token)
        expectSame([status, why.includes('invalid_token')], [401, true], 'the refusal')
      },
    },
    {
      name: 'a token of another realm is refused',
      run: async () => {
        const token = await tokenOfProgram(foreign, foreign.robot, 'mcp asked')
        expectSame(isFor(claimsOf(token), endpoint), true, 'whether it is for the gateway')
        expectSame([await statusOf(endpoint, token), await statusOf(asking.endpoint, token)], [401, 401], 'statuses')
      },
    },
    {
      name: 'no token, and an invented one, are refused',
      run: async () =>
        expectSame([await statusOf(endpoint, undefined), await statusOf(endpoint, 'invented')], [401, 401], 'statuses'),
    },
  ]
}

/** The gateway checks the signature, and asks the issuer. */
function checksOfAskedTokens({ acme, asking: { endpoint } }: Scene): readonly Check[] {
  return [
    {
      name: 'a token for one tenant opens no other',
      run: async () => {
        const token = await tokenOfProgram(acme, acme.robot, 'asked-acme')
        const paths = ['/acme', '/other', '']
        const statuses = await Promise.all(paths.map((path) => statusOf(`${endpoint}${path}`, token)))
        expectSame(statuses, [200, 404, 404], 'statuses')
      },
    },
    {
      name: 'a revoked token is refused at once by a gateway that asks about every token',
      run: async () => {
        const token = await tokenOfProgram(acme, acme.robot, 'asked')
        expectSame(await statusOf(endpoint, token), 200, 'status before')
        await revoke(acme, acme.robot, token)
        // So long an answer of the issuer is used.
        await new Promise((resolve) => setTimeout(resolve, 600))
        expectSame(await statusOf(endpoint, token), 401, 'status after')
      },
    },
    {
      name: 'a lightweight token opens a gateway that asks about every token',
      run: async () => {
        const token = await tokenOfProgram(acme, acme.light, 'asked')
        expectSame('aud' in claimsOf(token), false, 'whether it names its audience')
        expectSame(await statusOf(endpoint, token), 200, 'status')
      },
    },
  ]
}

async function statusOf(endpoint: string, token: string | undefined): Promise<number> {
  return (await pinged(endpoint, token)).status
}
