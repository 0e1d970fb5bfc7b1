import { createRandom, pick } from '../soak/random.ts'

/** What a person, or the deployment, does. */
type GrantAction = 'call' | 'calls' | 'agree' | 'end' | 'kill' | 'stop'

/** One step. Steps of one person follow each other; those of different people and of nodes run at the same time. */
export interface GrantStep {
  readonly action: GrantAction
  readonly person: number
  readonly node: number
}

/** The same options always give the same plan. */
export interface GrantPlanOptions {
  readonly seed: number
  readonly rounds: number
  readonly people: number
  readonly nodes: number
}

const actions: readonly GrantAction[] = ['call', 'call', 'call', 'calls', 'calls', 'agree', 'agree', 'end']

/** The rounds of a seed: in each, every person does something, and in some a node is killed or asked to end. */
export function planGrants({ seed, rounds, people, nodes }: GrantPlanOptions): readonly (readonly GrantStep[])[] {
  const random = createRandom(seed)
  return Array.from({ length: rounds }, (_, round) => {
    const steps = Array.from({ length: people }, (__, person): GrantStep => {
      // Without a grant there is little to break.
      const action = round === 0 ? 'agree' : pick(random, actions)
      return { action, person, node: Math.floor(random() * nodes) }
    })
    const isOutage = round % 4 === 3
    const node = Math.floor(random() * nodes)
    return isOutage ? [...steps, { action: random() < 0.7 ? 'kill' : 'stop', person: 0, node }] : steps
  })
}
