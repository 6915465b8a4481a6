import type { CodePart } from '../../components/code-tabs.tsx'
import type { Attachment } from './attachments.ts'
import { newTurnId, type Turn } from './turns.ts'

/** An image or audio in code: a mark stands in its place until the code is complete. */
export type CodeMedia = {
  mark: string
  /** Base64. */
  data: string
  /** The file that the code reads. Null: the data stands in the code. */
  file: string | null
  /** The file itself may be larger than a server accepts. */
  isReduced: boolean
}

/** Of all that stand in the code together: an argument of a shell has no room for more. */
const inlineCharacters = 64 * 1024 * (4 / 3)

/** The turns with a mark in place of the data of each image and audio; and what they stand for. */
export const markMedia = (turns: readonly Turn[]): { turns: readonly Turn[]; media: readonly CodeMedia[] } => {
  const media: CodeMedia[] = []
  // Nobody can have written it.
  const secret = newTurnId()
  let room = inlineCharacters
  const files = new Map<string, string>()
  /** Browsers call every image that is pasted the same: another one of that name has a number. */
  const fileFor = (name: string, data: string): string => {
    for (let number = 1; ; number += 1) {
      const file = number === 1 ? name : name.replace(/(\.[^.]*)?$/, `-${number}$1`)
      const known = files.get(file)
      files.set(file, known ?? data)
      if (known === undefined || known === data) return file
    }
  }
  const mark = (attachment: Attachment): Attachment => {
    if (attachment.kind === 'text' || attachment.data === null) return attachment
    const { data, name } = attachment
    const isInline = data.length <= room
    if (isInline) room -= data.length
    const file = isInline ? null : fileFor(name, data)
    const each = { mark: `${secret}.${media.length}.`, data, file, isReduced: attachment.isReduced === true }
    media.push(each)
    // A file is read as it is, not as it was made smaller.
    const type = each.file !== null && attachment.isReduced ? typeOfName(name) : attachment.type
    return { ...attachment, type, data: each.mark }
  }
  const marked = turns.map((turn) =>
    turn.kind === 'sent' && turn.attachments !== undefined
      ? { ...turn, attachments: turn.attachments.map(mark) }
      : turn,
  )
  return { turns: marked, media }
}

/** Those that can be made smaller. */
const typeOfName = (name: string): string => {
  const [, ending = ''] = /\.(png|webp)$/i.exec(name) ?? []
  return `image/${ending === '' ? 'jpeg' : ending.toLowerCase()}`
}

/** Code around the places of media. */
export const splitAtMedia = (code: string, media: readonly CodeMedia[]): (string | CodeMedia)[] => {
  const parts: (string | CodeMedia)[] = []
  let rest = code
  for (const each of media) {
    const at = rest.indexOf(each.mark)
    if (at < 0) continue
    parts.push(rest.slice(0, at), each)
    rest = rest.slice(at + each.mark.length)
  }
  return [...parts, rest]
}

/** Data in code, of which the page shows nothing. */
export const inlineData = ({ data }: CodeMedia): CodePart => ({ yours: data, shown: '…' })

/** Code of a language in which files are read by a function: the text around a file ends before it, and goes on after it. */
export const withFileReads = (
  code: string,
  media: readonly CodeMedia[],
  quote: string,
  read: (file: string) => string,
): CodePart[] => {
  const parts: CodePart[] = []
  let isAfterFile = false
  for (const part of splitAtMedia(code, media)) {
    if (typeof part === 'string') {
      // The quote that ended the text of the data.
      parts.push(isAfterFile ? part.slice(quote.length) : part)
      isAfterFile = false
    } else if (part.file === null) parts.push(inlineData(part))
    else {
      const before = parts.pop()
      const text = typeof before === 'string' ? before : ''
      // Without anything before it, the text is the file alone.
      parts.push(text.endsWith(quote) ? text.slice(0, -quote.length) : `${text}${quote} + `, { yours: read(part.file) })
      isAfterFile = true
    }
  }
  return parts
}
