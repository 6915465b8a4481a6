import { ApiError } from '../../base/api-error.ts'
import { newId } from '../../base/ids.ts'
import { isRecord } from '../../base/is-record.ts'
import type { EngineEvent } from '../contract.ts'
import { createWholeCharacters, type WholeCharacters } from './whole-characters.ts'

/** Turns an upstream's parts of tool calls into calls that are numbered from 0, each with an id and a name. */
export interface CallDeltas {
  push(parts: unknown, events: EngineEvent[]): void
  /**
   * The answer has ended: a call without a name is an error, and one without arguments has an empty object, unless the token limit cut
   * them off.
   */
  end(events: EngineEvent[], isCut: boolean): void
}

type Call = {
  key: unknown
  upstreamId: string | null
  name: string
  /** Null until its name is known. */
  index: number | null
  /** Arguments that arrived before the name. */
  held: string
  hasArguments: boolean
  characters: WholeCharacters
}

const maxCalls = 128
const maxHeldLength = 1024 * 1024

export const createCallDeltas = (): CallDeltas => {
  const calls: Call[] = []
  let begun = 0

  const add = (key: unknown, upstreamId: string | null): Call => {
    if (calls.length === maxCalls) throw failed(`more than ${maxCalls} tool calls`)
    const texts = { held: '', hasArguments: false, characters: createWholeCharacters() }
    const call: Call = { key, upstreamId, name: '', index: null, ...texts }
    calls.push(call)
    return call
  }
  /** Without an index, or with the same one for every call, another id or another name begins another call. */
  const find = (key: unknown, upstreamId: string | null, name: string): Call => {
    const known = key === undefined ? calls.at(-1) : calls.findLast((call) => call.key === key)
    if (known === undefined) return add(key, upstreamId)
    const isOther =
      upstreamId !== null
        ? known.upstreamId !== null && known.upstreamId !== upstreamId
        : name !== '' && known.name !== ''
    return isOther ? add(key, upstreamId) : known
  }
  const readPart = (part: Record<string, unknown>, events: EngineEvent[]): void => {
    const called = isRecord(part.function) ? part.function : part
    const upstreamId = typeof part.id === 'string' && part.id !== '' ? part.id : null
    const name = typeof called.name === 'string' ? called.name : ''
    const call = find(part.index ?? undefined, upstreamId, name)
    call.upstreamId ??= upstreamId
    if (call.name === '') call.name = name
    const text = call.characters.push(readArguments(called.arguments))
    if (call.index === null && call.name === '') {
      call.held += text
      if (call.held.length > maxHeldLength) throw failed('a tool call without a name')
      return
    }
    if (call.index === null) {
      call.index = begun
      begun += 1
      events.push({ type: 'call', index: call.index, id: callId(call.upstreamId), name: call.name, tokens: 0 })
    }
    const all = call.held + text
    call.held = ''
    if (all === '') return
    call.hasArguments = true
    events.push({ type: 'arguments', index: call.index, text: all })
  }
  return {
    push(parts, events) {
      for (const part of Array.isArray(parts) ? parts : []) if (isRecord(part)) readPart(part, events)
    },
    end(events, isCut) {
      for (const { index, hasArguments } of calls) {
        if (index === null) throw failed('a tool call without a name')
        // Arguments of no tokens: the upstream has written none.
        if (!hasArguments && !isCut) events.push({ type: 'arguments', index, text: '{}', tokens: 0 })
      }
    },
  }
}

/** Ids that look like ours are kept; others would not have the form that our API documents. */
const callId = (upstreamId: string | null): string =>
  upstreamId !== null && /^call_[\w-]{1,64}$/.test(upstreamId) ? upstreamId : newId('call')

/** Some upstreams send an object instead of its JSON. */
const readArguments = (value: unknown): string => {
  if (typeof value === 'string') return value
  return isRecord(value) ? JSON.stringify(value) : ''
}

const failed = (what: string): ApiError => ApiError.of('upstream_failed', {}, { cause: `the upstream sent ${what}` })
