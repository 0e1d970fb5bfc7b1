import type { Emit, ErrorReporter, Fabric } from '@junctor/contracts'
import type { PresentNodes } from '../nodes/present-nodes.ts'
import type { ControlListener } from '../nodes/subscribe-controls.ts'
import { CallRates, type TenantCalls } from './call-rates.ts'
import { readRateControl, toRateControl } from './rate-control.ts'

/** The rates of a node, and what it tells the other nodes of them. */
export interface Rates {
  readonly calls: CallRates
  /** Counts the calls of other nodes. */
  readonly control: ControlListener
  /** Tells the other nodes of its calls, and forgets callers that made none lately. Called every second. */
  sweep(): void
  /** Tells no more. */
  close(): void
}

export interface RatesParts {
  readonly fabric: Pick<Fabric, 'send'>
  readonly nodes: Pick<PresentNodes, 'gateways'>
  readonly emit: Emit
  readonly caught: ErrorReporter
}

/** How long calls that the others have to know of soon wait for more of them, in milliseconds. */
const soonMs = 2

/** Limits in one message: what nodes send each other is bounded. */
const mostInMessage = 500

/** Sweeps between two looks for callers that made no calls lately. */
const sweepsBetweenLooks = 10

/** Creates the rates of a node. They are empty until `calls.applyConfig`. */
export function createRates({ fabric, nodes, emit, caught }: RatesParts): Rates {
  const calls = new CallRates({ emit, now: Date.now })
  let soon: NodeJS.Timeout | undefined
  let sweeps = 0
  let isClosed = false

  const send = async (told: TenantCalls): Promise<void> => {
    try {
      // A message may be lost: then the others admit more until the next.
      await fabric.send('all', toRateControl(told))
    } catch (error) {
      caught('control', error)
    }
  }

  const tell = (): void => {
    clearTimeout(soon)
    soon = undefined
    const told = calls.tell()
    if (isClosed || nodes.gateways().length === 0) return
    for (const { tenant, calls: all } of told) {
      for (let from = 0; from < all.length; from += mostInMessage) {
        void send({ tenant, calls: all.slice(from, from + mostInMessage) })
      }
    }
  }

  calls.onUrgent = () => {
    if (isClosed || soon !== undefined || nodes.gateways().length === 0) return
    soon = setTimeout(tell, soonMs).unref()
  }

  return {
    calls,
    control(received) {
      const control = readRateControl(received)
      if (control.kind === 'read') calls.hear(control.value)
      return control
    },
    sweep() {
      tell()
      sweeps += 1
      if (sweeps % sweepsBetweenLooks === 0) calls.sweep()
    },
    close() {
      isClosed = true
      clearTimeout(soon)
    },
  }
}
