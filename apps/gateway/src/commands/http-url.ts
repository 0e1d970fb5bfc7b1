import { InvalidArgumentError } from 'commander'

/**
 * Makes the reader of an option that takes a URL of HTTP.
 *
 * @param example what the user may have wanted to write
 */
export function httpUrl(example: string): (text: string) => string {
  return (text) => {
    if (/^https?:\/\//i.test(text) && URL.canParse(text)) return text
    throw new InvalidArgumentError(`Expected a URL such as ${example}.`)
  }
}
