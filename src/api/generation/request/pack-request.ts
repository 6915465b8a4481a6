import { readWrittenMessages, sharedText } from '../../../engine/remote/write-prompt.ts'
import type { GenerationRequest, PackedTexts, RequestCalling } from './generation-request.ts'

/**
 * Where the body was parsed. A request with images or audio stays as it is, because those are checked later, and so does one
 * with half a character, which cannot be written in UTF-8.
 */
export const packRequest = <Request extends GenerationRequest>(request: Request): Request => {
  const { prompt, calling, format, grammar } = request
  if (prompt.type !== 'chat' || prompt.written === undefined || prompt.written.hasMedia) return request
  const source = format?.source
  const schema = source?.type === 'schema' ? source.text : null
  const grammarText = grammar?.kind === 'text' ? grammar.text : null
  const shown = calling?.shown ?? []
  const texts = [schema, grammarText, ...shown.flatMap(({ description, parameters }) => [description, parameters])]
  if (!texts.every((text) => text === null || text.isWellFormed())) return request
  return {
    ...request,
    prompt: { ...prompt, messages: [] },
    calling: calling === null ? null : { ...calling, shown: [] },
    format: source?.type === 'schema' ? { ...format, source: { ...source, text: '' } } : format,
    grammar: grammar?.kind === 'text' ? { ...grammar, text: '' } : grammar,
    packed: {
      tools: shown.map((tool) => ({
        ...tool,
        description: packed(tool.description),
        parameters: packed(tool.parameters),
      })),
      schema: packed(schema),
      grammar: packed(grammarText),
    },
  }
}

/** The same request as it was before, except that its long texts are read when something asks for them. */
export const unpackRequest = <Request extends GenerationRequest>(request: Request): Request => {
  const { prompt, calling, format, grammar, packed: texts } = request
  if (texts === null || prompt.type !== 'chat' || prompt.written === undefined) return request
  const { written } = prompt
  const messages = once(() => readWrittenMessages(written))
  const source = format?.source
  return {
    ...request,
    prompt: {
      ...prompt,
      get messages() {
        return messages()
      },
    },
    calling: calling && unpackCalling(calling, texts),
    format:
      source?.type === 'schema'
        ? {
            ...format,
            source: withText(
              source,
              once(() => unpacked(texts.schema)),
            ),
          }
        : format,
    grammar: grammar?.kind === 'text' ? withText(grammar, () => unpacked(texts.grammar) ?? '') : grammar,
    packed: null,
  }
}

const unpackCalling = (calling: RequestCalling, { tools }: PackedTexts): RequestCalling => {
  const shown = once(() =>
    tools.map((tool) => ({
      ...tool,
      description: unpacked(tool.description),
      parameters: unpacked(tool.parameters),
    })),
  )
  return {
    ...calling,
    get shown() {
      return shown()
    },
  }
}

const withText = <Source extends { text: Text }, Text>(source: Source, read: () => Text): Source => ({
  ...source,
  get text() {
    return read()
  },
})

const packed = (text: string | null): Uint8Array | null => (text === null ? null : sharedText(text))

const unpacked = (bytes: Uint8Array | null): string | null =>
  bytes === null ? null : Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString()

const once = <Value>(make: () => Value): (() => Value) => {
  let made: { value: Value } | null = null
  return () => {
    made ??= { value: make() }
    return made.value
  }
}
