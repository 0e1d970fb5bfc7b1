/** Whether what is written to this stream is shown in colours: on a terminal that has them. */
export function showsColors(stream: NodeJS.WriteStream): boolean {
  return stream.isTTY && stream.hasColors()
}
