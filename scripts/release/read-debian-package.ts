/** A `.deb` is an `ar` archive: a header of 60 characters before each file, whose content is padded to an even length. */
const headerLength = 60

export const readDebianPackage = (content: Buffer, wanted: string): Buffer => {
  if (content.toString('latin1', 0, 8) !== '!<arch>\n') throw new Error('This is not a package of Debian.')
  let at = 8
  while (at + headerLength <= content.length) {
    const name = content
      .toString('latin1', at, at + 16)
      .trim()
      .replace(/\/$/, '')
    const length = Number(content.toString('latin1', at + 48, at + 58).trim())
    const start = at + headerLength
    if (name === wanted) return content.subarray(start, start + length)
    at = start + length + (length % 2)
  }
  throw new Error(`The package contains no ${wanted}.`)
}
