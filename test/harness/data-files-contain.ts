import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

/** Nothing in the data directory is compressed. */
const encodings = ['utf8', 'utf16le', 'hex', 'base64'] as const

/** Whether the text is in any file of the data directory, such as the embedded database and its write-ahead log. */
export const dataFilesContain = (dataDir: string, text: string): boolean =>
  readdirSync(dataDir, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .some(({ parentPath, name }) => containsText(readFileSync(join(parentPath, name)), text))

const containsText = (bytes: Buffer, text: string): boolean =>
  encodings.some((encoding) =>
    encoding === 'base64'
      ? base64Forms(text).some((form) => bytes.includes(form))
      : bytes.includes(form(text, encoding)),
  )

const form = (text: string, encoding: 'utf8' | 'utf16le' | 'hex'): Buffer =>
  encoding === 'hex' ? Buffer.from(Buffer.from(text).toString('hex')) : Buffer.from(text, encoding)

/** The middle of what the text becomes after none, one or two other bytes. That of a short text is found by chance. */
const base64Forms = (text: string): string[] =>
  [0, 1, 2]
    .map((before) =>
      Buffer.from(`${'.'.repeat(before)}${text}`)
        .toString('base64')
        .slice(4, -4),
    )
    .filter((form) => form.length >= 12)
