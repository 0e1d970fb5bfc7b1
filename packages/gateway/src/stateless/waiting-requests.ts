/** The most requests of one principal that wait for their next round. Each may hold a link. */
const mostOfPrincipal = 64

/** The most requests of a node that wait for their next round. */
const mostOfNode = 4_096

/** How long the requests of one principal that wait may be together, in characters. The first may have any length. */
const mostCharactersOfPrincipal = 16 * 1024 * 1024

/** The same for all requests of a node. */
const mostCharactersOfNode = 128 * 1024 * 1024

/** The characters of each request that are not counted: long requests of some callers do not refuse short ones of others. */
const freeCharacters = 16 * 1024

/** The requests of one principal that wait, and the characters of them that count. */
interface Share {
  readonly count: number
  readonly size: number
}

const nothing: Share = { count: 0, size: 0 }

/** How many requests wait for their clients, and how large they are: of each principal, and of all. */
export class WaitingRequests {
  readonly #shares = new Map<string, Share>()
  #all = nothing

  get count(): number {
    return this.#all.count
  }

  /**
   * Counts one more request if there is room for it.
   *
   * @param size its characters
   * @param isOfMany the owner stands for many callers: only the limits of the node apply
   */
  enter(owner: string, size: number, isOfMany: boolean): boolean {
    const share = this.#shares.get(owner) ?? nothing
    const [next, all] = [changed(share, 1, size), changed(this.#all, 1, size)]
    const isOver = next.count > mostOfPrincipal || (share.count > 0 && next.size > mostCharactersOfPrincipal)
    if (isOver && !isOfMany) return false
    if (all.count > mostOfNode || (this.#all.count > 0 && counted(size) > 0 && all.size > mostCharactersOfNode)) {
      return false
    }
    this.#shares.set(owner, next)
    this.#all = all
    return true
  }

  /** A request that has entered waits no more. */
  leave(owner: string, size: number): void {
    const share = changed(this.#shares.get(owner) ?? nothing, -1, size)
    if (share.count > 0) this.#shares.set(owner, share)
    else this.#shares.delete(owner)
    this.#all = changed(this.#all, -1, size)
  }

  clear(): void {
    this.#shares.clear()
    this.#all = nothing
  }
}

function changed(share: Share, by: 1 | -1, size: number): Share {
  return { count: share.count + by, size: share.size + by * counted(size) }
}

function counted(size: number): number {
  return Math.max(0, size - freeCharacters)
}
