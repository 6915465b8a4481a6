import { newId } from '../../../base/ids.ts'
import { isRecord } from '../../../base/is-record.ts'
import { type BuiltInTool, builtInToolOfItem } from '../../../config/built-in-tools.ts'
import { createWholeCharacters, type WholeCharacters } from '../whole-characters.ts'

type Fields = Record<string, unknown>

/** An item of the response of an upstream that is being read. */
export type ReadItem = {
  /** In the order in which items begin. */
  index: number
  id: string
  kind: ItemKind
  fields: Fields
  /** Its beginning was passed on, which waits for its first text: until then another upstream could begin again. */
  isShown: boolean
  isDone: boolean
  /** The number of the call; null of other items. */
  call: number | null
  texts: Map<string, { length: number; characters: WholeCharacters }>
}

/** `built_in`: of a tool that the upstream runs itself. */
export type ItemKind = 'message' | 'reasoning' | 'function_call' | 'custom_tool_call' | 'built_in'

const idKinds = {
  message: 'msg',
  reasoning: 'rs',
  function_call: 'fc',
  custom_tool_call: 'ctc',
  built_in: 'fc',
} as const

/** Null if the item is of an unknown type, or of a tool that was not allowed: it is left out. */
export const itemKind = (type: unknown, allowed: ReadonlySet<string>): ItemKind | null => {
  if (type === 'message' || type === 'reasoning' || type === 'function_call' || type === 'custom_tool_call') return type
  const tool: BuiltInTool | null = builtInToolOfItem(type)
  return tool !== null && allowed.has(tool) ? 'built_in' : null
}

export const newItem = (index: number, kind: ItemKind, fields: Fields): ReadItem => ({
  ...{ index, id: isId(fields.id) ? fields.id : newId(idKinds[kind]), kind, fields },
  ...{ isShown: false, isDone: false, call: null, texts: new Map() },
})

/** Clients send it back, and requests accept no other. */
const isId = (id: unknown): id is string => typeof id === 'string' && /^[\w-]{1,64}$/.test(id)

export const callId = ({ fields: { call_id: id } }: ReadItem): string =>
  typeof id === 'string' && id !== '' && id.length <= 64 ? id : newId('call')

export const textOf = (item: ReadItem, key: string): { length: number; characters: WholeCharacters } => {
  const known = item.texts.get(key)
  if (known !== undefined) return known
  const text = { length: 0, characters: createWholeCharacters() }
  item.texts.set(key, text)
  return text
}

/** What an item has besides its texts, which are passed on by themselves. Fields of other names are left out, unless a tool has written them. */
export const itemJson = ({ id, kind, fields }: ReadItem): string => {
  if (kind === 'built_in') return JSON.stringify({ ...fields, id })
  const { status, phase, content, call_id, name, encrypted_content } = fields
  const own = { id, type: kind, status: typeof status === 'string' ? status : undefined }
  switch (kind) {
    case 'message':
      return JSON.stringify({
        ...own,
        phase: typeof phase === 'string' ? phase : undefined,
        annotations: recordsIn(content).map(({ annotations }) => recordsIn(annotations)),
      })
    case 'reasoning':
      return JSON.stringify({
        ...own,
        encrypted_content: typeof encrypted_content === 'string' ? encrypted_content : undefined,
      })
    default:
      return JSON.stringify({ ...own, call_id, name })
  }
}

export const recordsIn = (list: unknown): Fields[] => (Array.isArray(list) ? list.filter(isRecord) : [])
