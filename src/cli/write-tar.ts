import { gzipSync } from 'node:zlib'

const blockBytes = 512

/** A tar archive (POSIX ustar), compressed. Names are ASCII of up to 100 characters. */
export const writeTarGz = (files: readonly { name: string; text: string }[], now: number): Buffer =>
  gzipSync(
    Buffer.concat([
      ...files.flatMap(({ name, text }) => entry(name, Buffer.from(text), now)),
      Buffer.alloc(2 * blockBytes),
    ]),
  )

const entry = (name: string, content: Buffer, now: number): Buffer[] => [
  header(name, content.length, Math.floor(now / 1000)),
  content,
  Buffer.alloc((blockBytes - (content.length % blockBytes)) % blockBytes),
]

const header = (name: string, size: number, modifiedSeconds: number): Buffer => {
  const block = Buffer.alloc(blockBytes)
  const put = (text: string, offset: number): void => void block.write(text, offset, 'ascii')
  const octal = (value: number, digits: number): string => value.toString(8).padStart(digits, '0')
  put(name, 0)
  put('0000600\0', 100)
  put('0000000\0', 108)
  put('0000000\0', 116)
  put(`${octal(size, 11)}\0`, 124)
  put(`${octal(modifiedSeconds, 11)}\0`, 136)
  put('        ', 148)
  put('0', 156)
  put('ustar\x0000', 257)
  const sum = block.reduce((total, byte) => total + byte, 0)
  put(`${octal(sum, 6)}\0 `, 148)
  return block
}
