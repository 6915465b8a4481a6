import { isRecord } from '../../../../src/base/is-record.ts'
import { parseJsonText } from '../../../../src/base/parse-json-text.ts'
import type { BodyPart } from '../../curl-command.ts'

/** What stands in a stored body for an image or a recording, which are never stored. */
const placeholder = /^\[([\w.+/-]*), \d+ bytes\]$/

/** Fields with Base64 alone. All others have data URLs. */
const bareFields: ReadonlySet<string> = new Set(['data', 'result'])

/** A stored body with a file in the place of each image and recording that it had, and the names of these files. */
export const findMissingMedia = (text: string): { parts: readonly BodyPart[]; files: readonly string[] } => {
  const body = parse(text)
  if (!isRecord(body)) return { parts: [text], files: [] }
  const files = new Map<string, string>()
  // No text of the body has it as it is written again, and no name of a file, where a space cannot be.
  const plain = JSON.stringify(body)
  let mark = ' file'
  while (plain.includes(mark)) mark += '-'
  const marked = JSON.stringify(body, function (this: unknown, key, value: unknown) {
    // Plain texts of a list, such as those of an embedding, are texts.
    const found = typeof value === 'string' && !Array.isArray(this) ? placeholder.exec(value) : null
    if (found === null) return value
    const [whole, type = ''] = found
    // The same image is in every turn of a conversation.
    const file = files.get(whole) ?? fileName(type, files.size + 1)
    files.set(whole, file)
    return `${bareFields.has(key) ? '' : `data:${type};base64,`}${mark}${file}${mark}`
  })
  if (files.size === 0) return { parts: [text], files: [] }
  // Every second piece is the name of a file.
  const parts = marked.split(mark).map((piece, index): BodyPart => (index % 2 === 0 ? piece : { file: piece }))
  return { parts, files: [...files.values()] }
}

const fileName = (type: string, number: number): string => {
  const [kind = '', format = ''] = type.split('/')
  const ending = format.replace(/^x-/, '').replace('jpeg', 'jpg').replace('mpeg', 'mp3').replace(/\+.*$/, '')
  return `${kind === 'image' || kind === 'audio' ? kind : 'file'}-${number}.${ending === '' ? 'bin' : ending}`
}

const parse = (text: string): unknown => {
  try {
    return parseJsonText(text)
  } catch {
    return null
  }
}
