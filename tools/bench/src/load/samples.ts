/** Numbers without an object for each: a load produces a hundred thousand of them. */
export class Samples {
  #numbers = new Float64Array(4096)
  #count = 0

  get count(): number {
    return this.#count
  }

  add(number: number): void {
    if (this.#count === this.#numbers.length) {
      const larger = new Float64Array(2 * this.#count)
      larger.set(this.#numbers)
      this.#numbers = larger
    }
    this.#numbers[this.#count++] = number
  }

  sorted(): Float64Array {
    return this.#numbers.subarray(0, this.#count).toSorted()
  }
}
